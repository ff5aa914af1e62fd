import { styleText } from 'node:util'

/** Colours a string, or returns it unchanged if colours are off. */
export type Paint = (color: 'green' | 'yellow' | 'red' | 'cyan' | 'dim' | 'bold', text: string) => string

export const plain: Paint = (_color, text) => text

const colored: Paint = (color, text) => styleText(color, text, { validateStream: false })

/** Uses colours only on a terminal, unless `NO_COLOR` or `FORCE_COLOR` is set. */
export function paintFor(
  stream: { readonly isTTY?: boolean },
  env: { readonly [name: string]: string | undefined },
): Paint {
  if (env.NO_COLOR) return plain
  if (env.FORCE_COLOR) return env.FORCE_COLOR === '0' ? plain : colored
  return stream.isTTY ? colored : plain
}
