import { isObject } from '@signalbox/codec'

/** A block of Terraform, or what a template has in its place. */
export type Block = { readonly [name: string]: unknown }

/** Returns the blocks of a value, whether they are in a list or not. */
export function blocksOf(value: unknown): readonly Block[] {
  return (Array.isArray(value) ? value : [value]).filter(isObject)
}

/** Returns a name of Terraform as CloudFormation writes it, such as `MinimumLength` for `minimum_length`. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z\d])/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns a block with the names of CloudFormation. */
export function renamed(block: Block | undefined): Block | undefined {
  return (
    block &&
    Object.fromEntries(
      Object.entries(block).flatMap(([name, value]) => (value === '' ? [] : [[pascal(name), value]])),
    )
  )
}
