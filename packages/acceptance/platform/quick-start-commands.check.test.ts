import { readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { commandsIn } from '@signalbox/platform/testing/page-commands'
import { spawnCommand } from '@signalbox/platform/testing/spawned-command'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/quick-start.md'), 'utf8')

/** Other commands of the page, and why this test does not run them. */
const notRun: { readonly [command: string]: string } = {
  'cd shop': 'the test starts commands in the folder',
  'npm install': 'it needs a registry with the packages; the test links those of this repository',
  'npm test': 'init.test.ts and .ci/first-minutes.js run the tests of new projects',
  'npm run dev': 'the test starts signalbox dev, on free ports',
  'curl http://127.0.0.1:3000/hello/Ada': 'the test asks the same of the free port',
}

/** What a command prints, by its first words. Other commands need only succeed. */
const printed: { readonly [command: string]: RegExp } = {
  'log orders': /Order 7 has 2 parcels\./,
  'mail status': /bob@office\.example/,
  'mail list': /Hello/,
  'check --dialect': /event\.json: queue, valid/,
  'invoke mailroom': /verdict/,
}

it('has commands that this test runs, or that it names', () => {
  const lines = [...page.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].flatMap(([, block]) =>
    block!.split(/\n| && /),
  )
  const others = lines.filter(line => !/^npx (?:@signalbox\/platform|signalbox) /.test(line))
  expect(others.sort()).toEqual(Object.keys(notRun).sort())
})

it('the commands of the quick start work in the project that its first command writes', async () => {
  using folder = temporaryFolder()
  const [init, ...commands] = commandsIn(page)
  const run = async (args: readonly string[], cwd: string) => {
    await using command = spawnCommand(args, cwd)
    const exit = await command.exit
    expect([args, exit.code, exit.printedErrors]).toEqual([args, 0, ''])
    return exit.printed
  }
  await run(init!, folder.path)
  const project = join(folder.path, 'shop')
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
  renameSync(join(project, 'signalbox.config.ts'), join(project, 'written.ts'))
  writeFileSync(
    join(project, 'signalbox.config.ts'),
    `import config from './written.ts'
const listener = { port: 0 }
export default {
  ...config,
  loadBalancers: { web: { ...config.loadBalancers.web, ...listener } },
  mail: { ...config.mail, ...listener },
  queueListener: listener,
  userPoolListener: listener,
  control: listener,
}`,
  )
  await using dev = spawnCommand(['dev'], project)
  await dev.prints(/Watching/)
  const [, web] = await dev.prints(/load balancer web: (\S+)/)
  expect(await (await fetch(`${web}/hello/Ada`)).text()).toBe('{"hello":"Ada"}')
  expect(page).toContain('`{"hello":"Ada"}`')
  for (const words of commands) {
    const output = await run(words, project)
    const name = words.slice(0, 2).join(' ')
    if (words[0] === 'sample') writeFileSync(join(project, 'event.json'), output)
    if (words[0] === 'send') await dev.prints(/Order 7 has 2 parcels\./)
    if (name === 'mail send') await dev.prints(/mailroom mail "Hello"/)
    if (printed[name] !== undefined)
      expect([name, output]).toEqual([name, expect.stringMatching(printed[name])])
  }
  expect(commands.length).toBeGreaterThan(6)
})
