import { describe, expect, it } from '@jest/globals'
import { mailListener, opening } from '../testing/mail-listener.ts'
import { smtpReplies } from '../testing/smtp-dialogue.ts'

const hello = 'EHLO client.example'
const mail = 'MAIL FROM:<ann@far.example>'
const rcpt = 'RCPT TO:<bob@office.example>'
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const hops = (count: number) => Array.from({ length: count }, () => 'received: from a by b; today\r\n\tx')

/** Each row has a name, the client's lines, and the reply to the last line. */
const refusals: readonly (readonly [name: string, said: readonly (string | Buffer)[], reply: string])[] = [
  ['MAIL before EHLO (RFC 5321, 4.1.4)', [mail], '503 5.5.1 Send EHLO first'],
  ['EHLO without a host name (RFC 5321, 4.1.1.1)', ['EHLO'], '501 Syntax: EHLO hostname'],
  [
    'EHLO with a host name of 400 bytes (RFC 5321, 4.1.1.1)',
    [`EHLO ${'x'.repeat(400)}`],
    '501 Invalid host name',
  ],
  ['an unknown command (RFC 5321, 4.1.1)', ['FROBNICATE'], '500 5.5.2 Command not recognized'],
  ['a command with underscores', ['MAIL_FROM_OK'], '500 5.5.2 Command not recognized'],
  ['the historical command WIZ', ['WIZ'], '500 5.5.2 Command not recognized'],
  ['an empty line (RFC 5321, 4.1.1)', [''], '500 5.5.2 Command not recognized'],
  [
    'a NUL character in a command (RFC 5321, 4.1.2)',
    ['NOOP \0'],
    '500 5.5.2 Control characters in the command',
  ],
  [
    'an escape character in a command (RFC 5321, 4.1.2)',
    ['HELP \x1b[31m'],
    '500 5.5.2 Control characters in the command',
  ],
  [
    'two commands with a bare carriage return between them (RFC 5321, 2.3.8)',
    [`${mail}\r${rcpt}`],
    '500 5.5.2 Control characters in the command',
  ],
  ['BDAT, which it does not offer (RFC 3030)', [hello, 'BDAT 86 LAST'], '502 5.5.1 Command not implemented'],
  ['STARTTLS without a certificate (RFC 3207)', [hello, 'STARTTLS'], '500 5.5.2 Command not recognized'],

  ['a second sender (RFC 5321, 4.1.1.2)', [hello, mail, mail], '503 5.5.1 Sender already specified'],
  [
    'a sender without angle brackets (RFC 5321, 4.1.2)',
    [hello, 'MAIL FROM:ann@far.example'],
    '501 5.1.7 Expected an address in angle brackets',
  ],
  ['a missing sender (RFC 5321, 4.1.2)', [hello, 'MAIL'], '501 5.1.7 Expected an address in angle brackets'],
  [
    'MAIL TO (RFC 5321, 4.1.2)',
    [hello, 'MAIL TO:<ann@far.example>'],
    '501 5.1.7 Expected an address in angle brackets',
  ],
  ['a sender without a domain (RFC 5321, 4.1.2)', [hello, 'MAIL FROM:<ann>'], '501 5.1.7 Invalid address'],
  [
    'a sender whose domain has an empty label (RFC 5321, 4.1.2)',
    [hello, 'MAIL FROM:<ann@far..example>'],
    '501 5.1.7 Invalid address: misplaced dot',
  ],
  [
    'a sender whose domain begins with a dot (RFC 5321, 4.1.2)',
    [hello, 'MAIL FROM:<ann@.example>'],
    '501 5.1.7 Invalid address: misplaced dot',
  ],
  [
    'a sender with an impossible IPv4 address (RFC 5321, 4.1.3)',
    [hello, 'MAIL FROM:<ann@[300.0.2.1]>'],
    '501 5.1.7 Invalid address',
  ],
  [
    'a sender with an IPv6 address without its tag (RFC 5321, 4.1.3)',
    [hello, 'MAIL FROM:<ann@[2001:db8::1]>'],
    '501 5.1.7 Invalid address',
  ],
  [
    'two senders in one command (RFC 5321, 4.1.2)',
    [hello, 'MAIL FROM:<ann@far.example,eve@far.example>'],
    '501 5.1.7 Invalid address',
  ],
  [
    'a sender with an unclosed quote (RFC 5321, 4.1.2)',
    [hello, 'MAIL FROM:<"ann@far.example>'],
    '501 5.1.7 Expected an address in angle brackets',
  ],
  [
    'a sender of 255 bytes (RFC 5321, 4.5.3.1.3)',
    [hello, `MAIL FROM:<${'a'.repeat(243)}@far.example>`],
    '501 5.1.7 Address too long: at most 254 bytes',
  ],
  [
    'a non-ASCII sender without SMTPUTF8 (RFC 6531, 3.5)',
    [hello, 'MAIL FROM:<dörte@far.example>'],
    '553 5.6.7 Non-ASCII address requires SMTPUTF8',
  ],
  [
    'a sender in Latin-1 (RFC 6531, 3.3)',
    [hello, latin1('MAIL FROM:<dörte@far.example> SMTPUTF8')],
    '501 5.1.7 The address is not UTF-8',
  ],
  [
    'the parameter SMTPUTF8 with a value (RFC 6531, 3.4)',
    [hello, `${mail} SMTPUTF8=1`],
    '501 5.5.4 Malformed value of SMTPUTF8',
  ],
  [
    'a BODY other than 7BIT and 8BITMIME (RFC 6152)',
    [hello, `${mail} BODY=BINARYMIME`],
    '501 5.5.4 Malformed value of BODY',
  ],
  ['a negative SIZE (RFC 1870)', [hello, `${mail} SIZE=-1`], '501 5.5.4 Malformed value of SIZE'],
  [
    'a SIZE of 21 digits (RFC 1870)',
    [hello, `${mail} SIZE=${'9'.repeat(21)}`],
    '501 5.5.4 Malformed value of SIZE',
  ],
  [
    'a SIZE above the limit (RFC 1870)',
    [hello, `${mail} SIZE=1048577`],
    '552 5.3.4 Mail too large: at most 1048576 bytes',
  ],
  ['an unknown parameter (RFC 5321, 4.1.1.11)', [hello, `${mail} FOO=bar`], '555 5.5.4 Unknown parameter'],
  ['the parameter CONSTRUCTOR', [hello, `${mail} CONSTRUCTOR`], '555 5.5.4 Unknown parameter'],
  ['a parameter without a name (RFC 5321, 4.1.2)', [hello, `${mail} =1`], '501 5.5.4 Malformed parameters'],
  [
    'a repeated parameter (RFC 5321, 4.1.2)',
    [hello, `${mail} SIZE=1 size=2`],
    '501 5.5.4 Malformed parameters',
  ],

  ['a recipient before the sender (RFC 5321, 4.1.4)', [hello, rcpt], '503 5.5.1 Send MAIL first'],
  ['an empty recipient (RFC 5321, 4.1.1.3)', [hello, mail, 'RCPT TO:<>'], '501 5.1.3 Invalid address'],
  [
    'a recipient without angle brackets (RFC 5321, 4.1.2)',
    [hello, mail, 'RCPT TO:bob@office.example'],
    '501 5.1.3 Expected an address in angle brackets',
  ],
  [
    'a recipient without a domain (RFC 5321, 4.1.2)',
    [hello, mail, 'RCPT TO:<bob>'],
    '501 5.1.3 Invalid address',
  ],
  [
    'a recipient with a space (RFC 5321, 4.1.2)',
    [hello, mail, 'RCPT TO:<bob smith@office.example>'],
    '501 5.1.3 Invalid address',
  ],
  [
    'a recipient whose domain has an empty label (RFC 5321, 4.1.2)',
    [hello, mail, 'RCPT TO:<bob@office..example>'],
    '501 5.1.3 Invalid address: misplaced dot',
  ],
  [
    'a recipient with a tab (RFC 5321, 4.1.2)',
    [hello, mail, 'RCPT TO:<bob\t@office.example>'],
    '501 5.1.3 Invalid address',
  ],
  [
    'a recipient with a C1 control character (RFC 5321, 4.1.2)',
    [hello, `${mail} SMTPUTF8`, 'RCPT TO:<bob\u0085@office.example>'],
    '501 5.1.3 Invalid address',
  ],
  [
    'a recipient with an invisible character (RFC 5321, 4.1.2)',
    [hello, `${mail} SMTPUTF8`, 'RCPT TO:<b\u200bob@office.example>'],
    '501 5.1.3 Invalid address',
  ],
  [
    'a non-ASCII recipient without SMTPUTF8 (RFC 6531, 3.5)',
    [hello, mail, 'RCPT TO:<dörte@office.example>'],
    '553 5.6.7 Non-ASCII address requires SMTPUTF8',
  ],
  [
    'DSN parameters, which it does not offer (RFC 3461)',
    [hello, mail, `${rcpt} NOTIFY=NEVER`],
    '555 5.5.4 Unknown parameter',
  ],
  [
    'a recipient in another domain when there is no relay (RFC 5321, 3.4)',
    [hello, mail, 'RCPT TO:<eve@far.example>'],
    '550 5.7.1 No relay is configured for other domains',
  ],

  ['DATA without recipients (RFC 5321, 4.1.4)', [hello, mail, 'DATA'], '503 5.5.1 Send RCPT first'],
  [
    'DATA with a parameter (RFC 5321, 4.1.1.4)',
    [hello, mail, rcpt, 'DATA x'],
    '501 5.5.4 DATA takes no parameters',
  ],
  [
    'a mail that passed more than a hundred servers (RFC 5321, 6.3)',
    [...opening, ...hops(101), '', '.'],
    '554 5.4.6 Mail loop: the mail has passed more than 100 servers',
  ],
  [
    'a mail whose client disconnects before the final dot',
    [hello, mail, rcpt, 'DATA', 'Hello'],
    '451 4.4.2 Input ended in the middle of a command or mail',
  ],
]

describe('the mail listener', () => {
  it.each(refusals)('refuses %s', async (_rule, said, expected) => {
    await using setup = await mailListener()
    expect((await smtpReplies(setup.url, ...said)).at(-1)).toBe(expected)
    expect(setup.mails).toEqual([])
    expect(setup.notices).toEqual([])
  })

  it('accepts a mail with a hundred Received lines, and does not count Received lines in the body (RFC 5321, 6.3)', async () => {
    await using setup = await mailListener()
    const replies = await smtpReplies(setup.url, ...opening, ...hops(100), '', ...hops(100), '.')
    expect(replies.at(-1)).toBe('250 2.0.0 Stored as mail-1')
  })

  it('closes the connection after ten unrecognized commands in a row', async () => {
    await using setup = await mailListener()
    const replies = await smtpReplies(setup.url, ...Array.from({ length: 20 }, () => '\0'))
    expect(replies).toHaveLength(10)
    expect(replies.at(-1)).toBe('421 4.7.0 Too many unrecognized commands')
  })
})
