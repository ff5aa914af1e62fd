import { encode, wrap } from 'nodemailer/lib/qp'

/**
 * Bytes as quoted-printable text (RFC 2045, 6.7), in lines that end with CRLF. Line feeds, with or without a carriage
 * return, are the ends of lines; a carriage return alone is kept as a byte.
 */
export function quotedPrintable(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .split(/\r?\n/)
    .map(line => wrap(encode(Buffer.from(line, 'latin1')).replaceAll('\r', '=0D'), lineLimit))
    .join('\r\n')
}

const lineLimit = 76
