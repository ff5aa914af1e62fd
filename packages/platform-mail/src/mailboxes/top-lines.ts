/** Returns the header lines that a mailbox puts above a mail. Lines end with a line feed. */
export function topLines(from: string, recipient: string): Buffer {
  return Buffer.from(`Return-Path: <${withoutControls(from)}>\nDelivered-To: ${withoutControls(recipient)}\n`)
}

/** Control characters could end the header line. */
function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, '')
}
