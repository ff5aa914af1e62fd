/** A part of a configuration, by the names of its options. */
export type Part = { readonly [option: string]: unknown }

/** The parts of a configuration that a template describes. */
export interface TemplateConfig {
  readonly region: string
  readonly account: string
  readonly functions: { readonly [name: string]: Part }
  readonly queues?: { readonly [name: string]: Part }
  readonly queueListener?: Part
  readonly userPools?: { readonly [name: string]: Part }
  readonly userPoolListener?: Part
  readonly loadBalancers?: { readonly [name: string]: Part }
  readonly mail?: Part
  readonly invoke: Part
}

/** Returns an object without the entries that are undefined. */
export function defined(entries: Part): Part {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined))
}
