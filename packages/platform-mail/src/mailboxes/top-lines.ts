/** Returns the header lines that a mailbox adds before a mail. They end with a line feed. */
export function topLines(from: string, recipient: string): Buffer {
  return Buffer.from(`Return-Path: <${withoutControls(from)}>\nDelivered-To: ${withoutControls(recipient)}\n`)
}

/** Removes control characters, because they could end the header line. */
function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, '')
}
