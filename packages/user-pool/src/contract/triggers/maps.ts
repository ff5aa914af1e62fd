import { optional } from '../fields/field.ts'
import { filled, knownTexts, type TextMap } from '../fields/shape.ts'
import type { UserAttributes } from '../fields/user-attribute.ts'

/** Name-value pairs of user attributes; attribute names are the keys (docs/contract/user-pool.md). */
export const attributes = filled(knownTexts<UserAttributes>())

/** Name-value pairs of any names (docs/contract/user-pool.md#pre-sign-up). */
export const map = filled(knownTexts<TextMap>())

/** Key-value pairs given as custom input to the function (docs/contract/user-pool.md). */
export const clientMetadata = optional(map)
