import { isUtf8 } from 'node:buffer'
import { mailDifference } from '../message/mail-difference.ts'

/** Returns the reason why no mail server can be told a new content, as a sentence. */
export function contentProblem(before: Buffer, after: Buffer): string | undefined {
  const difference = mailDifference(before, after)
  if (difference === undefined)
    return 'The mail has lines in its head that are not headers, or a head of more than one megabyte.'
  return difference.headers.some(({ value }) => value.includes('\0'))
    ? 'A header that is new or changed has a NUL, which the mail server that asked cannot be told.'
    : undefined
}

/** Returns the reason why a new content cannot be told in texts, as a sentence: what is new in it is not UTF-8. */
export function textProblem(before: Buffer, after: Buffer): string | undefined {
  const { headers, body } = mailDifference(before, after)!
  const isText = headers.every(({ value }) => isUtf8(Buffer.from(value, 'latin1')))
  return isText && (body === undefined || isUtf8(body))
    ? undefined
    : 'The mail server that asked gets changes as text: new and changed headers and a new body must be in UTF-8.'
}
