import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { spawnCommand } from '@signalbox/platform/testing/spawned-command'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

const examples = join(import.meta.dirname, '../../../examples')
const page = readFileSync(join(import.meta.dirname, '../../../docs/platform/user-pools.md'), 'utf8')

/** Returns the arguments of the commands in the first code block of the page. */
function commandsOfPage(): readonly string[][] {
  const [, block = ''] = /\n```sh\n(.+?)\n```/s.exec(page)!
  return block.split('\n').map(line =>
    line
      .replace(/^npx signalbox /, '')
      .replace(/ +#.*$/, '')
      .split(' '),
  )
}

it('the commands on the page about user pools work with the configuration of the examples', async () => {
  using folder = temporaryFolder()
  // The configuration is the example's, on free ports.
  const own = `
    import { config } from ${JSON.stringify(join(examples, 'signalbox.config.ts'))}
    const { functions, loadBalancers, mail } = config
    const listener = { port: 0 }
    const module = ({ module }) => ({ module: ${JSON.stringify(examples)} + module.slice(1) })
    export default {
      ...config,
      functions: Object.fromEntries(Object.entries(functions).map(([name, each]) => [name, module(each)])),
      loadBalancers: Object.fromEntries(
        Object.entries(loadBalancers).map(([name, each]) => [name, { ...each, ...listener }]),
      ),
      mail: { ...mail, ...listener },
      queueListener: listener,
      userPoolListener: listener,
      control: listener,
    }`
  writeFileSync(join(folder.path, 'signalbox.config.mjs'), own)
  // The function logs its codes only in development.
  await using dev = spawnCommand(['dev', '--unmasked'], folder.path, '', { NODE_ENV: 'development' })
  await dev.prints(/Watching/)
  const [pools, add, texts, show, signIn] = commandsOfPage()
  const run = async (args: readonly string[]) => {
    await using command = spawnCommand(args, folder.path)
    const { code, printed, printedErrors } = await command.exit
    expect([args, code, printedErrors]).toEqual([args, 0, ''])
    return printed
  }
  expect(await run(pools!)).toContain('eu-central-1_Staff01')
  expect(await run(add!)).toBe('ann added\n')
  expect(await run(texts!)).toContain('ann@example.com')
  await dev.prints(/CustomMessage_AdminCreateUser/)
  const [, password = ''] = /temporary password is (\S+)/.exec(await run(show!))!
  await using signedIn = spawnCommand(signIn!, folder.path, null)
  const { stdin } = signedIn.process
  stdin!.write(`${password}\n`)
  const [, code = ''] = await dev.prints(/mail to ann@example\.com: (\d{6})\n/)
  stdin!.end(`${code}\nRight-7even\n`)
  const { printed, printedErrors, code: exitCode } = await signedIn.exit
  expect([exitCode, printedErrors]).toEqual([0, expect.stringContaining('Choose a new password.')])
  expect(JSON.parse(printed)).toMatchObject({ access: { username: 'ann' } })
})
