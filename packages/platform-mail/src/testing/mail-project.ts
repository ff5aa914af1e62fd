import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { createPlatform, signalbox } from './mail-program.ts'

const config = {
  functions: {},
  mail: {
    port: 0,
    domains: { 'office.example': { to: 'mailboxes', recipients: ['ann', 'gina'] } },
    relay: 'keep',
  },
  control: { port: 0 },
} as const

/** Returns a project with mailboxes for Ann and Gina, and a function that runs commands in the project's folder. */
export function mailProject(more: object = {}) {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder.path, 'signalbox.config.js'),
    `export default ${JSON.stringify({ ...config, ...more })}`,
  )
  return { ...folder, signalbox: (...args: string[]) => signalbox(folder.path, ...args) }
}

/** Runs the platform in the folder of a project made by `mailProject`, with a function that decides on mail. */
export async function mailSetupIn(path: string, handler?: (event: never) => unknown) {
  const rules = [{ direction: 'INBOUND', function: 'sort' }] as const
  const platform = createPlatform(
    handler === undefined
      ? config
      : { ...config, functions: { sort: { handler } }, mail: { ...config.mail, rules } },
    { root: path },
  )
  await platform.start()
  return {
    platform,
    /** Resolves when no mail is pending. */
    async finished() {
      const open = new Set(['undecided', 'delivering'])
      while (
        (await platform.mail.states()).some(each => each.recipients.some(({ state }) => open.has(state)))
      )
        await new Promise(resolve => setTimeout(resolve, 5))
    },
    [Symbol.asyncDispose]: () => platform.stop(),
  }
}
