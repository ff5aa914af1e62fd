import { withoutHeaders } from './without-headers.ts'

/** The header with which mail filters tell the next server that a mail is spam. Its name is in lower case. */
export const spamFlag = 'x-spam-flag'

/** Returns a mail with a spam flag, or without one, so that the next server files it in the junk folder or not. */
export function withSpamFlag(raw: Buffer, isSpam: boolean): Buffer {
  const plain = withoutHeaders(raw, [spamFlag])
  return isSpam ? Buffer.concat([Buffer.from('X-Spam-Flag: YES\r\n'), plain]) : plain
}
