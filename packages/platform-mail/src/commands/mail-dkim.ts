import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { dkimProblems, readKey } from '../config/dkim-key.ts'
import { selectorShape } from '../config/mail-config.ts'
import { mailPart } from '../config/mail-part.ts'
import { domainKey } from '../domain-key.ts'

/** The selector of the first key of a domain. */
const firstSelector = 's1'
/** The number of bits of a new key. RFC 8301 (3.2) asks signers for 2048. */
const bits = 2048
/** The maximum number of characters in one of the strings of a TXT record (RFC 1035, 3.3). */
const stringLimit = 255

/** The command `mail dkim`, which makes the key that signs the mail of a domain, and prints its DNS record. */
export const mailDkim = defineCommand({
  name: 'mail dkim',
  summary: 'Make the DKIM key of a domain, and print its DNS record',
  usage: 'DOMAIN [--selector NAME] [--config FILE]',
  details: `Prints the DNS record of the key in mail.domains. Without one, or with another --selector, makes a key in the folder
dkim beside the configuration, which only its owner can read. A key that is there is kept. To replace a key, make one with another
selector, publish its record, change the configuration, and remove the old record a week later. A private key is never printed.`,
  examples: [
    ['signalbox mail dkim office.example', 'makes the first key, or prints the record of the configured one'],
    ['signalbox mail dkim office.example --selector s2', 'makes the next key'],
  ],
  options: {
    selector: {
      type: 'string',
      value: 'NAME',
      help: `the name of the key in DNS; ${firstSelector} by default`,
    },
    config: configOption,
  },
  async run({ selector: asked, config }, operands, terminal) {
    refuseOperands('mail dkim', operands, 1)
    const [domain] = operands
    if (domain === undefined) throw new UsageError('mail dkim needs a domain.')
    if (asked !== undefined && !selectorShape.test(asked))
      throw new UsageError(`--selector ${JSON.stringify(asked)}: expected letters, digits and -.`)
    const { settings, root } = await terminal.project(config)
    const own = settings.of(mailPart)?.domains.get(domainKey(domain))
    if (own === undefined) throw new Error(`${domain} is not in mail.domains of the configuration.`)
    const selector = asked ?? own.dkim?.selector ?? firstSelector
    const name = domainKey(domain)
    if (own.dkim?.selector === selector) {
      terminal.print(recordOf(own.dkim.privateKey, selector, name))
      return 0
    }
    const file = join('dkim', `${name}.${selector}.pem`)
    const isNew = makeKey(join(root, file))
    const [problem] = dkimProblems(file, file, root)
    if (problem !== undefined)
      throw new Error(`${file} cannot sign mail: expected ${problem.expected}, was ${problem.actual}.`)
    terminal.print(`${file} ${isNew ? 'is a new' : 'has the'} private key, which only you should be able to read.
Publish this record, and then sign with the key:

${recordOf(readKey(join(root, file)), selector, name)}

mail: { domains: { '${domain}': { …, dkim: { selector: '${selector}', key: './${file}' } } } }`)
    return 0
  },
})

/** Makes a key, unless the file is there. Returns whether it did. */
function makeKey(path: string): boolean {
  if (existsSync(path)) return false
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { flag: 'wx', mode: 0o600 })
  return true
}

/** Returns the DNS record of a key (RFC 6376, 3.6.1) in the form of a zone file. */
function recordOf(privateKey: KeyObject, selector: string, domain: string): string {
  const key = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
  const strings = `v=DKIM1; k=rsa; p=${key}`.match(new RegExp(`.{1,${stringLimit}}`, 'g'))!
  return `${selector}._domainkey.${domain}. IN TXT ( ${strings.map(each => `"${each}"`).join(' ')} )`
}
