import type { Codec, Structure } from './codec-structure.ts'

const declared = new WeakMap<Codec, { readonly is: unknown; readonly shape: Structure }>()

/** Sets the structure of a codec that io-ts did not make. It is ignored once the codec’s `is` is replaced. */
export function declare(codec: Codec, shape: Structure): void {
  declared.set(codec, { is: codec.is, shape })
}

/** Returns the structure that `declare` set, or undefined for any other codec. */
export function declaredStructure(codec: Codec): Structure | undefined {
  const own = declared.get(codec)
  return own?.is === codec.is ? own?.shape : undefined
}
