import { styleText } from 'node:util'

/** Puts a colour onto text, or leaves it alone where nobody would see a colour. */
export type Paint = (color: 'green' | 'yellow' | 'red' | 'cyan' | 'dim' | 'bold', text: string) => string

export const plain: Paint = (_color, text) => text

const colored: Paint = (color, text) => styleText(color, text, { validateStream: false })

/**
 * Colour only on a terminal; `NO_COLOR` and `FORCE_COLOR` (when they are not empty) decide otherwise.
 */
export function paintFor(
  stream: { readonly isTTY?: boolean },
  env: { readonly [name: string]: string | undefined },
): Paint {
  if (env.NO_COLOR) return plain
  if (env.FORCE_COLOR) return env.FORCE_COLOR === '0' ? plain : colored
  return stream.isTTY ? colored : plain
}
