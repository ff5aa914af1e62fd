import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { createPlatform } from '@signalbox/platform'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { mailingPool } from './testing/mailing-pool.ts'

const words = (event: { readonly request: { readonly codeParameter: string } }) => ({
  ...event,
  response: {
    emailSubject: 'Welcome',
    emailMessage: `<b>${event.request.codeParameter}</b>`,
    smsMessage: event.request.codeParameter,
  },
})

/** Waits for this number of delivered mails, and returns them. */
async function delivered(platform: ReturnType<typeof createPlatform>, count: number) {
  for (;;) {
    const mails = await platform.mail.inbox('ann@office.example')
    if (mails.length >= count) return Promise.all(mails.map(platform.mail.read))
    await new Promise(setImmediate)
  }
}

it('the platform mails a sign-up code through its own mail server, even after a crash', async () => {
  using folder = temporaryFolder()
  const child = fork(fileURLToPath(new URL('./testing/pool-to-kill.ts', import.meta.url)), [folder.path], {
    execArgv: ['--conditions=@signalbox/source'],
  })
  await once(child, 'message')
  child.kill('SIGKILL')
  await once(child, 'close')
  const config = mailingPool(folder.path, words)
  {
    const platform = createPlatform(config)
    await platform.start()
    const [raw] = await delivered(platform, 1)
    const pool = platform.userPools.get('staff')
    const text = raw!.toString()
    expect(text).toMatch(/^From: Staff <staff@office.example>\r?$/m)
    expect(text).toMatch(/^Subject: Welcome\r?$/m)
    expect(text).toContain(`<b>${await pool.code('ann')}</b>`)
    expect(await pool.texts()).toMatchObject([{ medium: 'EMAIL', text: undefined }])
    await platform.stop()
  }
  const again = createPlatform(config)
  await again.start()
  expect(await again.mail.states()).toHaveLength(1)
  await again.stop()
})
