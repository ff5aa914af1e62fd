import { optional } from './field.ts'
import { filled, knownTexts, type TextMap } from './shape.ts'
import type { UserAttributes } from './user-attribute.ts'

/** Name-value pairs of user attributes; attribute names are the keys (contract A.2). */
export const attributes = filled(knownTexts<UserAttributes>())

/** Name-value pairs of any names (contract A.2, validation data and client metadata). */
export const map = filled(knownTexts<TextMap>())

/** Key-value pairs given as custom input to the function (contract A.2). */
export const clientMetadata = optional(map)
