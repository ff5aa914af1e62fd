import { describe, expect, it } from '@jest/globals'
import { mailListener, opening } from '../testing/mail-listener.ts'
import { smtpReplies } from '../testing/smtp-dialogue.ts'

const hello = 'EHLO client.example'
const mail = 'MAIL FROM:<ann@far.example>'
const rcpt = 'RCPT TO:<bob@office.example>'
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const hops = (count: number) => Array.from({ length: count }, () => 'received: from a by b; today\r\n\tx')

/** The rule, the lines of the client, and the reply to the last line. */
const refusals: readonly (readonly [rule: string, said: readonly (string | Buffer)[], reply: string])[] = [
  ['4.1.4: HELO comes first', [mail], '503 5.5.1 Send EHLO first'],
  ['4.1.1.1: EHLO names the client', ['EHLO'], '501 Syntax: EHLO hostname'],
  ['4.1.1.1: and not at any length', [`EHLO ${'x'.repeat(400)}`], '501 Invalid host name'],
  ['4.1.1: an unknown command', ['FROBNICATE'], '500 5.5.2 Command not recognized'],
  ['4.1.1: nor by names from the inside', ['MAIL_FROM_OK'], '500 5.5.2 Command not recognized'],
  ['4.1.1: no jokes', ['WIZ'], '500 5.5.2 Command not recognized'],
  ['4.1.1: an empty line', [''], '500 5.5.2 Command not recognized'],
  ['4.1.2: NUL in a command', ['NOOP \0'], '500 5.5.2 Control characters in the command'],
  ['4.1.2: escape in a command', ['HELP \x1b[31m'], '500 5.5.2 Control characters in the command'],
  [
    '2.3.8: a bare carriage return ends no command',
    [`${mail}\r${rcpt}`],
    '500 5.5.2 Control characters in the command',
  ],
  ['RFC 4954: AUTH is not offered', [hello, 'AUTH PLAIN AGEAYg=='], '502 5.5.1 Command not implemented'],
  ['RFC 3030: nor is BDAT', [hello, 'BDAT 86 LAST'], '502 5.5.1 Command not implemented'],
  ['RFC 3207: STARTTLS without a certificate', [hello, 'STARTTLS'], '500 5.5.2 Command not recognized'],
  ['XCLIENT from anywhere', [hello, 'XCLIENT ADDR=1.2.3.4'], '500 5.5.2 Command not recognized'],

  ['4.1.1.2: a second sender', [hello, mail, mail], '503 5.5.1 Sender already specified'],
  [
    '4.1.2: a sender without brackets',
    [hello, 'MAIL FROM:ann@far.example'],
    '501 5.1.7 Expected an address in angle brackets',
  ],
  ['4.1.2: a missing sender', [hello, 'MAIL'], '501 5.1.7 Expected an address in angle brackets'],
  [
    '4.1.2: a recipient as sender',
    [hello, 'MAIL TO:<ann@far.example>'],
    '501 5.1.7 Expected an address in angle brackets',
  ],
  ['4.1.2: a sender without domain', [hello, 'MAIL FROM:<ann>'], '501 5.1.7 Invalid address'],
  ['4.1.2: two senders', [hello, 'MAIL FROM:<ann@far.example,eve@far.example>'], '501 5.1.7 Invalid address'],
  [
    '4.1.2: an open quote',
    [hello, 'MAIL FROM:<"ann@far.example>'],
    '501 5.1.7 Expected an address in angle brackets',
  ],
  [
    'Appendix C: a source route',
    [hello, 'MAIL FROM:<@hop.example:ann@far.example>'],
    '501 5.1.7 Invalid address',
  ],
  [
    '4.5.3.1.3: a path of 255 bytes',
    [hello, `MAIL FROM:<${'a'.repeat(243)}@far.example>`],
    '501 5.1.7 Address too long: at most 254 bytes',
  ],
  [
    'RFC 6531, 3.5: 8-bit sender without SMTPUTF8',
    [hello, 'MAIL FROM:<dörte@far.example>'],
    '553 5.6.7 Non-ASCII address requires SMTPUTF8',
  ],
  [
    'RFC 6531, 3.3: a sender in Latin-1',
    [hello, latin1('MAIL FROM:<dörte@far.example> SMTPUTF8')],
    '501 5.1.7 The address is not UTF-8',
  ],
  [
    'RFC 6531, 3.4: SMTPUTF8 has no value',
    [hello, `${mail} SMTPUTF8=1`],
    '501 5.5.4 Malformed value of SMTPUTF8',
  ],
  [
    'RFC 6152: BODY is 7BIT or 8BITMIME',
    [hello, `${mail} BODY=BINARYMIME`],
    '501 5.5.4 Malformed value of BODY',
  ],
  ['RFC 1870: SIZE is a number', [hello, `${mail} SIZE=-1`], '501 5.5.4 Malformed value of SIZE'],
  [
    'RFC 1870: with 20 digits at most',
    [hello, `${mail} SIZE=${'9'.repeat(21)}`],
    '501 5.5.4 Malformed value of SIZE',
  ],
  [
    'RFC 1870: an announced size above the limit',
    [hello, `${mail} SIZE=1048577`],
    '552 5.3.4 Mail too large: at most 1048576 bytes',
  ],
  ['4.1.1.11: unknown parameters', [hello, `${mail} FOO=bar`], '555 5.5.4 Unknown parameter'],
  [
    '4.1.1.11: parameters by names from the inside',
    [hello, `${mail} CONSTRUCTOR`],
    '555 5.5.4 Unknown parameter',
  ],
  ['4.1.2: malformed parameters', [hello, `${mail} =1`], '501 5.5.4 Malformed parameters'],
  ['4.1.2: a parameter twice', [hello, `${mail} SIZE=1 size=2`], '501 5.5.4 Malformed parameters'],

  ['4.1.4: a recipient before the sender', [hello, rcpt], '503 5.5.1 Send MAIL first'],
  ['4.1.1.3: the null recipient', [hello, mail, 'RCPT TO:<>'], '501 5.1.3 Invalid address'],
  [
    '4.1.2: a recipient without brackets',
    [hello, mail, 'RCPT TO:bob@office.example'],
    '501 5.1.3 Expected an address in angle brackets',
  ],
  ['4.1.2: a recipient without domain', [hello, mail, 'RCPT TO:<bob>'], '501 5.1.3 Invalid address'],
  [
    '4.1.2: a recipient with a space',
    [hello, mail, 'RCPT TO:<bob smith@office.example>'],
    '501 5.1.3 Invalid address',
  ],
  [
    'Appendix C: a source route to a recipient',
    [hello, mail, 'RCPT TO:<@a.example,@b.example:bob@office.example>'],
    '501 5.1.3 Invalid address',
  ],
  ['4.1.2: tab in a recipient', [hello, mail, 'RCPT TO:<bob\t@office.example>'], '501 5.1.3 Invalid address'],
  [
    '4.1.2: C1 control in a recipient',
    [hello, `${mail} SMTPUTF8`, 'RCPT TO:<bob\u0085@office.example>'],
    '501 5.1.3 Invalid address',
  ],
  [
    '4.1.2: invisible characters',
    [hello, `${mail} SMTPUTF8`, 'RCPT TO:<b\u200bob@office.example>'],
    '501 5.1.3 Invalid address',
  ],
  [
    'RFC 6531, 3.5: 8-bit recipient without SMTPUTF8',
    [hello, mail, 'RCPT TO:<dörte@office.example>'],
    '553 5.6.7 Non-ASCII address requires SMTPUTF8',
  ],
  [
    'RFC 3461: DSN parameters are not known',
    [hello, mail, `${rcpt} NOTIFY=NEVER`],
    '555 5.5.4 Unknown parameter',
  ],
  [
    '3.4: mail for elsewhere without a relay',
    [hello, mail, 'RCPT TO:<eve@far.example>'],
    '550 5.7.1 No relay is configured for other domains',
  ],

  ['4.1.4: DATA without recipients', [hello, mail, 'DATA'], '503 5.5.1 Send RCPT first'],
  ['4.1.1.4: DATA with parameters', [hello, mail, rcpt, 'DATA x'], '501 5.5.4 DATA takes no parameters'],
  [
    '6.3: a mail that has come through more than a hundred servers',
    [...opening, ...hops(101), '', '.'],
    '554 5.4.6 Mail loop: the mail has passed more than 100 servers',
  ],
  [
    '4.1.4: what is cut off in the middle of a command',
    [hello, mail, rcpt, 'DATA', 'Hello'],
    '451 4.4.2 Input ended in the middle of a command or mail',
  ],
]

describe('RFC 5321', () => {
  it.each(refusals)('%s', async (_rule, said, expected) => {
    await using setup = await mailListener()
    expect((await smtpReplies(setup.url, ...said)).at(-1)).toBe(expected)
    expect(setup.mails).toEqual([])
    expect(setup.notices).toEqual([])
  })

  it('6.3: a mail with a hundred Received lines is accepted, and Received lines in the body do not count', async () => {
    await using setup = await mailListener()
    const replies = await smtpReplies(setup.url, ...opening, ...hops(100), '', ...hops(100), '.')
    expect(replies.at(-1)).toBe('250 2.0.0 Stored as mail-1')
  })

  it('4.2.4: ten unrecognized commands in a row end the connection', async () => {
    await using setup = await mailListener()
    const replies = await smtpReplies(setup.url, ...Array.from({ length: 20 }, () => '\0'))
    expect(replies).toHaveLength(10)
    expect(replies.at(-1)).toBe('421 4.7.0 Too many unrecognized commands')
  })
})
