import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { answerWith, projectFolder } from '@signalbox/platform-load-balancer/testing/project-folder'
import { describeWith } from '@signalbox/platform-runtime/testing/installed-program'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { spawnCommand } from '../testing/spawned-command.ts'

const command = fileURLToPath(new URL('../command.ts', import.meta.url))
const address = /load balancer web: +(http:\/\/127\.0\.0\.1:\d+)\n/
const body = async (url: string, path = '/') => (await fetch(url + path)).text()

describe('the commands dev and start', () => {
  it('signalbox dev prints addresses and invocations, reloads code after a save, and stops cleanly', async () => {
    using folder = projectFolder(answerWith('one', "console.log('looking\\nclosely')"))
    await using dev = spawnCommand(['dev'], folder.path)
    const [, url = ''] = await dev.prints(address)
    await dev.prints(
      /console: {11}http:\/\/\S+\/console\/#token=\S+\nload balancer web: http:\/\/\S+\nWatching/,
    )
    for (let request = 0; request < 2; request++) expect(await body(url, '/orders?x=1')).toBe('one')
    // The instance that checked the function has ended, so the first request starts one.
    await dev.prints(
      /#1 \d\d:\d\d:\d\d\.\d{3} shop GET \/orders → 200 OK \d+ ms cold start\n {4}│ looking\n {4}│ closely\n/,
    )
    await dev.prints(/#2 \S+ shop GET \/orders → 200 OK \d+ ms\n/)

    writeFileSync(join(folder.path, 'shop.ts'), answerWith('two'))
    await dev.prints(/New code: .*shop\.ts/)
    expect(await body(url)).toBe('two')
    await dev.prints(/#3 \S+ shop GET \/ → 200 OK \d+ ms cold start\n/)

    for (let file = 0; file < 20; file++) writeFileSync(join(folder.path, `part-${file}.ts`), '')
    await dev.prints(/New code: (?:\S+part-\d+\.ts, ){2}\S+part-\d+\.ts and \d+ more files\n/)

    writeFileSync(join(folder.path, 'signalbox.config.ts'), 'export default {}')
    await dev.prints(/signalbox\.config\.ts has changed\. Restart signalbox to apply it\./)

    dev.process.kill('SIGINT')
    expect(await dev.exit).toMatchObject({ code: 0, printedErrors: '' })
  })

  describeWith(['bash', 'curl'], describe, 'signalbox dev with a command', () => {
    it('starts it again after a save in its folder, which may be outside of the project', async () => {
      using code = temporaryFolder()
      const answer = (body: string) =>
        writeFileSync(join(code.path, 'shop.sh'), `handler() { echo '{"statusCode":200,"body":"${body}"}'; }`)
      answer('one')
      const client = fileURLToPath(new URL('../../languages/shell/runtime.sh', import.meta.url))
      using folder = temporaryFolder()
      writeFileSync(
        join(folder.path, 'signalbox.config.mjs'),
        `export default {
          functions: {
            shop: {
              command: ['bash', ${JSON.stringify(client)}],
              export: 'shop.handler',
              cwd: ${JSON.stringify(code.path)},
              dialect: 'aws',
              timeout: 20,
            },
          },
          loadBalancers: { web: { port: 0, function: 'shop' } },
        }`,
      )
      await using dev = spawnCommand(['dev'], folder.path)
      const [, url = ''] = await dev.prints(address)
      await dev.prints(/Watching/)
      expect(await body(url)).toBe('one')
      answer('two')
      await dev.prints(/New code: .*shop\.sh/)
      expect(await body(url)).toBe('two')
    })
  })

  it.each(['dev', 'start'])(
    'signalbox %s stops cleanly when a signal follows its first line',
    async command => {
      using folder = projectFolder(answerWith('one'))
      const hook = join(folder.path, 'hook.mjs')
      writeFileSync(
        hook,
        `const { write } = process.stdout
      process.stdout.write = function (text, ...rest) {
        if (/load balancer web/.test(text)) process.kill(process.pid, 'SIGTERM')
        return write.call(this, text, ...rest)
      }`,
      )
      await using started = spawnCommand([command], folder.path, '', { NODE_OPTIONS: `--import=${hook}` })
      expect(await started.exit).toMatchObject({ code: 0, printed: expect.stringContaining('Stopping') })
    },
  )

  it.each([
    ['dev', 'unset', 'development'],
    ['dev', 'staging', 'staging'],
    ['start', 'unset', 'undefined'],
  ])('signalbox %s with NODE_ENV %s runs functions with NODE_ENV %s', async (command, given, expected) => {
    using folder = projectFolder(answerWith('', 'return { body: String(process.env.NODE_ENV) }'))
    const { NODE_ENV: before } = process.env
    delete process.env.NODE_ENV
    if (given !== 'unset') process.env.NODE_ENV = given
    await using setup = spawnCommand([command, '--json'], folder.path)
    process.env.NODE_ENV = before
    const [, url = ''] = await setup.prints(/"source":"load balancer web","url":"([^"]+)"/)
    await body(url)
    await setup.prints(new RegExp(`\\{\\\\"body\\\\":\\\\"${expected}\\\\"`))
  })

  it.each([
    ['the option --console', '--console', ''],
    ['"console: true" in the configuration', '', 'control: { port: 0, open: true, console: true },'],
  ])('signalbox start serves the console with %s', async (_case, option, config) => {
    using folder = projectFolder(answerWith('one'), config)
    await using start = spawnCommand(['start', ...option.split(' ').filter(Boolean)], folder.path)
    const [, origin = '', token = ''] = await start.prints(
      /console: +(http:\/\/\S+?)\/console\/#token=(\S+)\n/,
    )
    const entered = await fetch(`${origin}/console/api/session`, {
      method: 'POST',
      headers: { 'x-signalbox-console': '1' },
      body: JSON.stringify({ token }),
    })
    expect(entered.status).toBe(204)
    // Nobody has decided who may use an address that is there for the console only.
    expect((await fetch(`${origin}/metrics`)).status).toBe(option === '' ? 200 : 404)
    expect((await fetch(`${origin}/livez`)).status).toBe(200)
  })

  it('signalbox start serves no console by default', async () => {
    using folder = projectFolder(answerWith('one'), 'control: { port: 0, open: true },')
    await using start = spawnCommand(['start'], folder.path)
    const [, url = ''] = await start.prints(/control: +(http:\/\/\S+)\n/)
    await start.prints(/Running/)
    expect((await fetch(`${url}/console/api/session`)).status).toBe(404)
  })

  it('signalbox start prints a console link without a token if visitors sign in with access keys', async () => {
    using folder = projectFolder(answerWith('one'), 'access: { identities: {} },')
    await using start = spawnCommand(['start', '--console'], folder.path)
    expect(await start.prints(/console: +(http:\/\/127\.0\.0\.1:\d+\/console\/)\n/)).toBeTruthy()
  })

  it.each([
    ['the code that a function logs', ['--unmasked'], 'The code is 424242.'],
    ['a mask instead of the code without --unmasked', [], 'The code is ***.'],
  ])(
    'signalbox dev prints %s, and always masks it in the invocation log',
    async (_case, options, printed) => {
      using folder = projectFolder(answerWith('one', "console.log('The code is 424242.')"))
      await using dev = spawnCommand(['dev', ...options], folder.path)
      const [, url = ''] = await dev.prints(address)
      await body(url)
      const [, hint, text] = await dev.prints(/ms.*?(\(.*\))\n {4}│ (.*)\n/)
      expect(text).toBe(printed)
      const offered = options.length === 0 ? '; --unmasked shows those below' : ''
      expect(hint).toBe(`(secrets masked${offered})`)
      await using log = spawnCommand(['log', '--json'], folder.path)
      expect((await log.exit).printed).toContain('The code is ***.')
    },
  )

  it.each([
    ['in red on a terminal', { NO_COLOR: '', FORCE_COLOR: '1' }, '\x1b[31m500 Oh no\x1b[39m'],
    ['without colours on a pipe', {}, '500 Oh no'],
  ])('signalbox dev prints an answer of 500 %s', async (_case, env, printed) => {
    using folder = projectFolder(
      answerWith('', "return { statusCode: 500, statusDescription: '500 Oh no', isBase64Encoded: false }"),
    )
    await using dev = spawnCommand(['dev'], folder.path, '', env)
    const [, url = ''] = await dev.prints(/load balancer web: +\S*?(http:\/\/[\d.:]+)/)
    await body(url)
    const [, shown] = await dev.prints(/→ (.*?500 Oh no\S*)/)
    expect(shown).toBe(printed)
  })

  it('signalbox dev reports that a folder listed in the setting "watch" does not exist', async () => {
    using folder = projectFolder(undefined, "watch: ['libb'],")
    await using dev = spawnCommand(['dev'], folder.path)
    await dev.prints(/The folder .*libb cannot be watched: it does not exist\.\nWatching/)
  })

  it('signalbox dev does not reload when its own output file changes', async () => {
    using folder = projectFolder(answerWith('one'))
    const path = join(folder.path, 'printed.json')
    const output = openSync(path, 'w')
    const dev = spawn(
      process.execPath,
      ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning', command, 'dev', '--json'],
      { cwd: folder.path, stdio: ['ignore', output, output] },
    )
    const printed = async (kind: string) => {
      for (;;) {
        const lines = readFileSync(path, 'utf8').trim().split('\n').filter(Boolean)
        const found = lines.map(line => JSON.parse(line)).filter(line => line.kind === kind)
        if (found.length > 0) return found
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    }
    try {
      await printed('ready')
      const [{ url }] = await printed('address')
      await body(url)
      await printed('invocation')
      // Waits long enough for a change of the output file to be reported before the next change.
      await new Promise(resolve => setTimeout(resolve, 200))
      writeFileSync(join(folder.path, 'shop.ts'), answerWith('two'))
      expect(await printed('reload')).toMatchObject([{ files: [join(folder.path, 'shop.ts')] }])
    } finally {
      dev.kill('SIGKILL')
      closeSync(output)
    }
  })

  it('signalbox dev reports a function that cannot be loaded, and is not ready until it is mended', async () => {
    using folder = projectFolder('export const handlers = () => 1', 'control: { port: 0 },')
    await using dev = spawnCommand(['dev'], folder.path)
    await dev.prints(
      /The function shop \(.*shop\.ts\) cannot be loaded\. The module exports no function named handler\. /,
    )
    const [, url = ''] = await dev.prints(/control: +(http:\/\/\S+)\n/)
    await dev.prints(/Watching/)
    const ready = await fetch(`${url}/readyz`)
    expect([ready.status, await ready.text()]).toEqual([503, 'A function cannot be loaded.\n'])

    writeFileSync(join(folder.path, 'shop.ts'), answerWith('one'))
    await dev.prints(/The function shop can be loaded again\./)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)

    writeFileSync(join(folder.path, 'shop.ts'), 'const x: = 1')
    await dev.prints(
      /The function shop .* cannot be loaded\. SyntaxError: .*\n.*shop\.ts:1\n {4}const x: = 1/,
    )
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
  })

  it('signalbox dev stops cleanly when the reader of its output goes away', async () => {
    using folder = projectFolder(answerWith('one'))
    await using dev = spawnCommand(['dev'], folder.path)
    const [, url = ''] = await dev.prints(address)
    await dev.prints(/Watching/)
    dev.process.stdout!.destroy()
    expect(await body(url)).toBe('one')
    expect(await dev.exit).toMatchObject({ code: 0, printedErrors: '' })
  })

  it('signalbox dev reports all problems of the configuration at once', async () => {
    using folder = projectFolder(undefined, 'grase: 1, dataDir: 7,')
    await using dev = spawnCommand(['dev'], folder.path)
    const { code, printedErrors } = await dev.exit
    expect(code).toBe(2)
    expect(printedErrors).toContain('/dataDir: expected a text that is not empty')
    expect(printedErrors).toContain('/grase: expected the name grace')
  })
})

/** Code of a function that makes the file `begun` in its folder, and then waits for so many milliseconds. */
const begins = (milliseconds: number) =>
  `(await import('node:fs')).writeFileSync('begun', ''); await new Promise(resolve => setTimeout(resolve, ${milliseconds}))`

/** Waits until a function with the code of `begins` is running. */
async function begun({ path }: { readonly path: string }): Promise<void> {
  while (!existsSync(join(path, 'begun'))) await new Promise(resolve => setTimeout(resolve, 10))
}

describe('signalbox start', () => {
  it('prints JSON with --json, and waits for running invocations after SIGTERM', async () => {
    using folder = projectFolder(answerWith('finished', begins(400)))
    await using start = spawnCommand(['start', '--json'], folder.path)
    const [, url = ''] = await start.prints(/"url":"([^"]+)"/)
    const answer = body(url)
    await begun(folder)
    start.process.kill('SIGTERM')
    expect(await answer).toBe('finished')
    const { code, printed } = await start.exit
    expect(code).toBe(0)
    expect(
      printed
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).kind),
    ).toEqual(['address', 'ready', 'stopping', 'invocation'])
  })

  it('runs even if the configuration has no sources', async () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'signalbox.config.ts'), 'export default { functions: {} }')
    await using start = spawnCommand(['start'], folder.path)
    await start.prints(/The configuration has no sources\. .*\nRunning/)
    await new Promise(resolve => setTimeout(resolve, 250))
    start.process.kill('SIGINT')
    expect(await start.exit).toMatchObject({ code: 0, printedErrors: '' })
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('stops after running invocations at %s', async signal => {
    using folder = projectFolder(answerWith('finished', begins(400)))
    await using start = spawnCommand(['start'], folder.path)
    const [, url = ''] = await start.prints(address)
    const answer = body(url)
    await begun(folder)
    start.process.kill(signal)
    expect(await answer).toBe('finished')
    expect(await start.exit).toMatchObject({ code: 0, printedErrors: '' })
  })

  it('cut its requests and ended with 0 when the reader of its output went away', async () => {
    using folder = projectFolder(
      answerWith('finished', 'await new Promise(resolve => setTimeout(resolve, 300))'),
    )
    await using start = spawnCommand(['start'], folder.path)
    const [, url = ''] = await start.prints(address)
    await start.prints(/Running/)
    const before = body(url)
    start.process.stdout!.destroy()
    expect(await before).toBe('finished')
    // The invocation of each request is a line that cannot be printed.
    for (let i = 0; i < 3; i++) expect(await body(url)).toBe('finished')
    start.process.kill('SIGTERM')
    expect(await start.exit).toMatchObject({ code: 0, printedErrors: '' })
  })

  const full = '/dev/full'
  const hasFull = existsSync(full)
  const withFull = hasFull ? it : it.skip
  withFull(
    `went on when the device of its log was full${hasFull ? '' : ` (skipped: needs ${full})`}`,
    async () => {
      using folder = projectFolder(answerWith('one'), 'control: { port: 0, open: true },')
      const output = openSync(full, 'w')
      const start = spawn(
        process.execPath,
        ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning', command, 'start'],
        { cwd: folder.path, stdio: ['ignore', output, 'inherit'] },
      )
      try {
        const found = join(folder.path, '.signalbox/platform.json')
        const url = () =>
          /"control": ?"([^"]+)"/.exec(existsSync(found) ? readFileSync(found, 'utf8') : '')?.[1]
        while (url() === undefined && start.exitCode === null)
          await new Promise(resolve => setTimeout(resolve, 20))
        const ready = async () => (await fetch(`${url()}/readyz`)).status
        while ((await ready()) !== 200) await new Promise(resolve => setTimeout(resolve, 20))
        start.kill('SIGHUP')
        const [code] = await once(start, 'exit')
        expect(code).toBe(0)
      } finally {
        start.kill('SIGKILL')
        closeSync(output)
      }
    },
  )

  it('exits at once on a second signal', async () => {
    using folder = projectFolder(answerWith('never', begins(2 ** 30)))
    await using start = spawnCommand(['start'], folder.path)
    const [, url = ''] = await start.prints(address)
    const answer = body(url).catch(() => 'cut')
    await begun(folder)
    start.process.kill('SIGINT')
    await start.prints(/Stopping/)
    start.process.kill('SIGINT')
    expect((await start.exit).code).toBe(130)
    expect(await answer).toBe('cut')
  })

  it('refuses functions that cannot be loaded, with the name, the file and the reason of each', async () => {
    using folder = temporaryFolder()
    const write = (path: string, text: string) => writeFileSync(join(folder.path, path), text)
    write('syntax.ts', 'const x: = 1')
    write('export.ts', 'export const handlers = () => 1')
    write('import.ts', "import x from 'left-padd'\nexport const handler = () => x")
    write(
      'option.ts',
      "export const handler = (() => { throw new Error('queue() has no option onMesage') })()",
    )
    write('fine.ts', answerWith('one'))
    const names = ['fine', 'syntax', 'export', 'import', 'option']
    const functions = Object.fromEntries(names.map(name => [name, { module: `./${name}.ts` }]))
    write('signalbox.config.ts', `export default ${JSON.stringify({ functions })}`)
    await using start = spawnCommand(['start'], folder.path)
    const { code, printed, printedErrors } = await start.exit
    expect([code, printed]).toEqual([2, ''])
    const reasons = [
      /^The function syntax \(\S+syntax\.ts\) cannot be loaded\. SyntaxError: /m,
      /^The function export \(\S+export\.ts\) cannot be loaded\. The module exports no function named handler\. /m,
      /^The function import \(\S+import\.ts\) cannot be loaded\. Error: Cannot find package 'left-padd'/m,
      /^The function option \(\S+option\.ts\) cannot be loaded\. Error: queue\(\) has no option onMesage\n {4}.*option\.ts:1:/m,
    ]
    for (const reason of reasons) expect(printedErrors).toMatch(reason)
    expect(printedErrors).not.toContain('The function fine')
  })

  it('refuses a data directory that is in use', async () => {
    using folder = projectFolder()
    await using first = spawnCommand(['start'], folder.path)
    await first.prints(address)
    await using second = spawnCommand(['start'], folder.path)
    expect(await second.exit).toMatchObject({
      code: 2,
      printedErrors: expect.stringContaining(`Another platform (process ${first.process.pid}`),
    })
  })
})
