import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readHolder } from '@signalbox/platform-runtime/storage'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { createTransport } from 'nodemailer'
import { type Config, createPlatform } from './testing/mail-program.ts'

const bounceAs = (words: string) => ({
  actions: [{ action: { type: 'BOUNCE', parameters: { bounceMessage: words } }, allRecipients: true }],
})

function config(functions: NonNullable<Config['functions']>, more: Partial<Config> = {}): Config {
  return {
    functions,
    mail: {
      port: 0,
      domains: { 'office.example': { to: 'mailboxes' } },
      rules: [{ direction: 'INBOUND', function: 'sort' }],
      relay: 'keep',
    },
    control: { port: 0 },
    dataDir: ':memory:',
    ...more,
  }
}

/** Returns a running platform, its addresses, and a function that sends a mail and waits until it is delivered. */
async function running(given: Config, root = '/') {
  const platform = createPlatform(given, { root })
  const addresses = await platform.start()
  const urlOf = (name: string) => addresses.find(({ source }) => source === name)?.url ?? ''
  const smtp = createTransport({
    host: '127.0.0.1',
    port: Number(new URL(urlOf('mail')).port),
    ignoreTLS: true,
  })
  return {
    platform,
    urlOf,
    async send(subject: string, to = 'ann@office.example') {
      const envelope = { from: 'rita@partner.example', to: [to] }
      const { response } = await smtp.sendMail({
        envelope,
        raw: `Subject: ${subject.replace(/[^!-~ ]/g, '')}\r\n\r\nHello\r\n`,
      })
      const open = new Set(['undecided', 'delivering'])
      while (
        (await platform.mail.states()).some(({ recipients }) =>
          recipients.some(({ state }) => open.has(state)),
        )
      )
        await new Promise(resolve => setTimeout(resolve, 5))
      return /Stored as (\S+)/.exec(response)![1]!
    },
    async [Symbol.asyncDispose]() {
      smtp.close()
      await platform.stop()
    },
  }
}

it('the Dovecot configuration in docs names the folders of delivered mail', async () => {
  const recipe = readFileSync(new URL('../../../docs/imap-with-dovecot.md', import.meta.url), 'utf8')
  const [, location] = /^mail_location = maildir:\/home\/box\/([^:]+):/m.exec(recipe)!
  using home = temporaryFolder()
  const junk = { actions: [{ action: { type: 'MOVE_TO_JUNK' }, allRecipients: true }] }
  const { dataDir: _inMemory, ...onDisk } = config({ sort: { handler: () => junk } })
  await using setup = await running(onDisk, home.path)
  await setup.send('one', 'Ann.Lee@Office.Example')
  const [delivered] = await setup.platform.mail.inbox('ann.lee@office.example')
  const maildir = location!.replace('%Ld', 'office.example').replace('%Ln', 'ann.lee')
  const [, folder] = /^ {2}mailbox (\w+) \{$/m.exec(recipe)!
  expect(dirname(delivered!.path)).toBe(join(home.path, maildir, `.${folder}`, 'new'))
})

describe('platform.mail', () => {
  it('returns mails by their ids, as the HTTP API of the platform does', async () => {
    await using setup = await running(config({ sort: { handler: () => null } }))
    const { platform } = setup
    const id = await setup.send('one')
    const raw = await platform.mail.fetch(id)
    expect(String(raw)).toMatch(/^Received: [\s\S]*\r\nSubject: one\r\n\r\nHello\r\n$/)
    const response = await fetch(`${setup.urlOf('control')}/mail/${id}`)
    expect(Buffer.from(await response.arrayBuffer()).equals(raw!)).toBe(true)
    expect(await platform.mail.fetch('nothing')).toBeUndefined()
    const [delivered] = await platform.mail.inbox('ann@office.example')
    expect(String(await platform.mail.read(delivered!))).toMatch(/^Return-Path: <rita@partner\.example>\r\n/)
    expect(await platform.mail.states()).toMatchObject([{ id, subject: 'one' }])
  })

  it('ignores upper and lower case in the local part of an address', async () => {
    await using setup = await running(
      config(
        { sort: { handler: () => null } },
        { mail: { port: 0, domains: { 'office.example': { to: 'mailboxes', recipients: ['Ann'] } } } },
      ),
    )
    for (const to of ['ann@office.example', 'Ann@office.example', 'ANN@Office.example'])
      await setup.send(to, to)
    const inbox = await setup.platform.mail.inbox('aNN@office.example')
    expect(inbox.map(({ address }) => address)).toEqual(Array(3).fill('aNN@office.example'))
    expect((await setup.platform.mail.inbox()).map(({ address }) => address)).toEqual(
      Array(3).fill('ann@office.example'),
    )
  })

  it('can be called by a function in the same process', async () => {
    const seen: unknown[] = []
    const handler = async ({ messageId }: { messageId: string }) => {
      seen.push(String(await setup.platform.mail.fetch(messageId)).includes('Subject: in process'))
      return bounceAs('Read.')
    }
    await using setup = await running(config({ sort: { handler: handler as never } }))
    await setup.send('in process')
    expect(seen).toEqual([true])
  })

  it('has one mailbox for the Unicode form and the ASCII form of a domain', async () => {
    const given = config({ sort: { handler: () => null } })
    await using setup = await running({
      ...given,
      mail: { ...given.mail, domains: { 'bücher.example': { to: 'mailboxes' } } },
    })
    const [letters, ascii] = ['ann@bücher.example', 'ann@xn--bcher-kva.example'] as const
    for (const to of [letters, ascii]) await setup.send(to, to)
    const paths = async (address: string) =>
      (await setup.platform.mail.inbox(address)).map(({ path }) => path)
    expect(await paths(ascii)).toEqual(await paths(letters))
    expect(await setup.platform.mail.inbox()).toHaveLength(2)
    expect(await setup.platform.mail.states()).toMatchObject(
      Array(2).fill({ recipients: [{ direction: 'INBOUND', state: 'delivered' }] }),
    )
  })

  it('throws an error that explains why it cannot return mail', async () => {
    const without = createPlatform({ functions: {}, dataDir: ':memory:' })
    for (const ask of [without.mail.fetch('x'), without.mail.states(), without.mail.inbox()])
      await expect(ask).rejects.toThrow('This platform has no mail. Add the key mail to its configuration.')
    await without.stop()
    const platform = createPlatform(config({ sort: { handler: () => null } }))
    await expect(platform.mail.fetch('x')).rejects.toThrow('The platform is not running')
    await platform.start()
    expect(await platform.mail.states()).toEqual([])
    await platform.stop()
    await expect(platform.mail.states()).rejects.toThrow('The platform is not running')
  })
})

describe('the control address', () => {
  const module = `export const handler = async ({ messageId }) => {
    const response = await fetch(process.env.SIGNALBOX_CONTROL + '/mail/' + messageId)
    const read = (await response.text()).includes('Subject: instance') ? 'Read.' : 'Not read.'
    return { actions: [{ action: { type: 'BOUNCE', parameters: { bounceMessage: read } }, allRecipients: true }] }
  }`

  it('is in an environment variable of all function instances', async () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'sort.mjs'), module)
    const platform = createPlatform(config({ sort: { module: 'sort.mjs', instances: 1 } }), {
      root: folder.path,
    })
    expect((await platform.invoke('sort', {})).failure?.message).toMatch(/Failed to parse URL/)
    const addresses = await platform.start()
    const control = addresses.find(({ source }) => source === 'control')!.url
    expect((await platform.invoke('sort', { messageId: 'x' })).payload).toContain('Not read.')
    expect(control).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await platform.stop()

    await using setup = await running(config({ sort: { module: 'sort.mjs' } }), folder.path)
    await setup.send('instance')
    const [report] = await setup.platform.mail.inbox('rita@partner.example')
    expect(String(await setup.platform.mail.read(report!))).toContain('Read.')
  })

  it('does not replace an environment variable that is configured for the function', async () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'sort.mjs'), 'export const handler = () => process.env.SIGNALBOX_CONTROL')
    const env = { SIGNALBOX_CONTROL: 'elsewhere' }
    await using setup = await running(config({ sort: { module: 'sort.mjs', env } }), folder.path)
    expect((await setup.platform.invoke('sort', {})).payload).toBe('"elsewhere"')
  })

  it('is in platform.json, next to the address of the mail server, while the platform runs', async () => {
    using folder = temporaryFolder()
    const dataDir = join(folder.path, 'data')
    {
      await using setup = await running(config({ sort: { handler: () => null } }, { dataDir }))
      const { mail, control } = readHolder(dataDir)!.urls
      expect({ mail, control }).toEqual({ mail: setup.urlOf('mail'), control: setup.urlOf('control') })
      expect(mail).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+$/)
    }
    expect(readHolder(dataDir)).toBeUndefined()
  })
})

it('a failed start closes the mail listener', async () => {
  await using first = await running(config({ sort: { handler: () => null } }))
  const taken = Number(new URL(first.urlOf('mail')).port)
  const second = createPlatform(config({ sort: { handler: () => null } }, { control: { port: taken } }))
  await expect(second.start()).rejects.toThrow(
    `The control address cannot start: port ${taken} of 127.0.0.1 is in use`,
  )
  await expect(second.mail.states()).rejects.toThrow('The platform is not running')
})
