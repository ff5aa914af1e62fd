import { isObject } from '@signalbox/codec'

/** Returns a configuration without what the platform derives: ids, ARNs, ports and the variables of every function. */
export function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      if (name === 'id' || name === 'targetGroupArn' || /^AWS_/.test(name) || /Listener$|^invoke$/.test(name))
        return []
      const inner = comparable(each)
      return name === 'env' && Object.keys(inner as object).length === 0 ? [] : [[name, inner] as const]
    }),
  )
}
