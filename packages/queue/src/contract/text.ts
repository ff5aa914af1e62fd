import { string, where } from '@signalbox/codec/wire'
import { isDigits, isNotEmpty } from './conditions.ts'

/** A string that is not empty. An empty message id in a response would fail the whole batch. */
export const NonEmptyText = where(string, isNotEmpty, 'text that is not empty')

/** A string of digits, the format of counts and times. */
export const Digits = where(string, isDigits, 'text of digits')
