import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { run } from '../../../platform-runtime/src/command-line/run.ts'
import { temporaryFolder } from '../../../platform-runtime/src/testing/temporary-folder.ts'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { commands } from './all.ts'

// The configuration is JavaScript, because Node imports it without the test runner's help.
function project() {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder.path, 'functions.js'),
    `export const shop = async event => {
       console.log('at your service')
       return { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false, body: event.path }
     }
     export const careful = async () => { throw new Error('Staff only') }
     export const keen = async event => ({ ...event, response: {} })
     export const crashing = () => process.exit(3)
     export const painter = () => {
       console.log('\\x1b[31mred\\x1b[0m and \\x1b]0;title\\x07')
       return { batchItemFailures: [], also: '\\u202e' }
     }`,
  )
  const functions = ['shop', 'careful', 'keen', 'crashing', 'painter', 'nobody'].map(
    name => `${name}: { module: './functions.js', export: '${name}' }`,
  )
  writeFileSync(join(folder.path, 'signalbox.config.js'), `export default { functions: { ${functions} } }`)
  writeFileSync(join(folder.path, 'event.json'), JSON.stringify(httpEvent('GET', '/orders/7')))
  return folder
}

async function running(folder: string, ...args: string[]) {
  const captured = captureTerminal(folder)
  const exitCode = await run(args, commands, '0', captured.terminal)
  return { exitCode, printed: captured.printed, complained: captured.complained }
}

describe('signalbox fire, log and replay', () => {
  it('fires a file, shows it in the journal, and fires it again', async () => {
    using folder = project()
    const fired = await running(folder.path, 'fire', 'shop', 'event.json')
    expect(fired.exitCode).toBe(0)
    expect(fired.printed).toMatch(
      /^logs\nat your service\npayload after \d+ ms\n\{\n {2}"statusCode": 200,[\s\S]*\nverdict 200 OK$/,
    )

    const log = await running(folder.path, 'log')
    expect(log.printed).toMatch(/^#1 \S+ shop GET \/orders\/7 → 200 OK \d+ ms\n {4}│ at your service$/)
    const [entry] = (await running(folder.path, 'log', 'shop', '--json')).printed
      .split('\n')
      .map(line => JSON.parse(line))
    expect(entry).toMatchObject({
      id: 1,
      source: 'fire',
      event: JSON.stringify(httpEvent('GET', '/orders/7')),
    })
    expect((await running(folder.path, 'log', 'keen')).printed).toBe('Nothing has been invoked yet.')
    expect((await running(folder.path, 'log', 'keen', '--json')).printed).toBe('')

    expect((await running(folder.path, 'log', '--last', '0')).printed).toBe('')
    const replayed = await running(folder.path, 'replay', '#1', '--json')
    expect(JSON.parse(replayed.printed)).toMatchObject({ conclusion: { ok: true, text: '200 OK' } })
    expect((await running(folder.path, 'log', '--last', '1')).printed).toMatch(/^#2 /)
  })

  it('fires samples; the exit code says whether the platform can go on with the answer', async () => {
    using folder = project()
    expect(await running(folder.path, 'fire', 'keen', '--sample', 'PreSignUp_SignUp')).toMatchObject({
      exitCode: 0,
      printed: expect.stringMatching(/verdict accepted with \{\}$/),
    })
    expect(await running(folder.path, 'fire', 'careful', '-s', 'PreSignUp_SignUp')).toMatchObject({
      exitCode: 0,
      printed: expect.stringMatching(
        /failure Error: Staff only\nverdict denied: PreSignUp failed with error Staff only\.$/,
      ),
    })
    expect(await running(folder.path, 'fire', 'careful', '--sample=queue')).toMatchObject({
      exitCode: 1,
      printed: expect.stringMatching(/verdict failure: the invocation failed: Staff only$/),
    })
  })

  it.each([
    ['crashing', 'crashing exited with code 3'],
    ['nobody', 'The module exports no function named nobody.'],
  ])('exits 1 for a trigger whose function has no answer: %s', async (name, why) => {
    using folder = project()
    const { exitCode, printed } = await running(folder.path, 'fire', name, '-s', 'PreSignUp_SignUp')
    expect(exitCode).toBe(1)
    expect(printed).toContain(`failure ${why}`)
  })

  it('shows colours of the function, and whatever else would act on a terminal as pictures', async () => {
    using folder = project()
    const { printed } = await running(folder.path, 'fire', 'painter', '-s', 'queue')
    expect(printed).toContain('logs\n\x1b[31mred\x1b[0m and ␛]0;title␇\npayload')
    expect(printed).toContain('"also": "\ufffd"')
    expect((await running(folder.path, 'fire', 'painter', '-s', 'queue', '--json')).printed).not.toContain(
      '\u202e',
    )
  })

  it('names the file of a configuration that cannot be understood', async () => {
    using folder = project()
    writeFileSync(join(folder.path, 'signalbox.config.js'), 'export default { functions: {}, grase: 1 }')
    expect(await running(folder.path, 'fire', 'shop', 'event.json')).toMatchObject({
      exitCode: 2,
      complained: `${join(folder.path, 'signalbox.config.js')} cannot be understood:
/grase: expected the name grace, was a name that nobody knows`,
    })
  })

  it('masks secrets in the journal, and says so when they are fired again', async () => {
    using folder = project()
    await running(folder.path, 'fire', 'keen', '--sample', 'UserMigration_Authentication')
    const { complained } = await running(folder.path, 'replay', '1')
    expect(complained).toBe('Some values of this event are masked.')
  })

  it.each([
    [['fire'], 'fire needs a function.'],
    [['fire', 'shop'], 'fire needs a file or a sample, and not both.'],
    [['fire', 'shop', 'event.json', '--sample', 'queue'], 'fire needs a file or a sample, and not both.'],
    [['fire', 'shop', 'nowhere.json'], 'nowhere.json cannot be sent: there is no such file.'],
    [['fire', 'shoop', 'event.json'], 'There is no function "shoop". Did you mean shop?'],
    [['fire', 'shop', '--sample', 'quueue'], 'There is no sample "quueue". Did you mean queue?'],
    [['fire', 'shop', 'event.json', 'more'], 'fire does not know what to do with "more".'],
    [['replay'], 'replay needs the number of an invocation.'],
    [['replay', 'x'], 'replay needs the number of an invocation.'],
    [['replay', '99'], 'There is no invocation #99 in the journal.'],
    [['log', '--last', 'x'], '--last needs a number.'],
    [['log', 'shoop'], 'There is no function "shoop". Did you mean shop?'],
    [['log', '--config', 'nowhere.ts'], 'There is no nowhere.ts.'],
    [['dev', 'x'], 'dev does not know what to do with "x".'],
  ])('exits 2 for %j', async (args, sentence) => {
    using folder = project()
    expect(await running(folder.path, ...args)).toMatchObject({
      exitCode: 2,
      printed: '',
      complained: expect.stringContaining(sentence),
    })
  })
})

describe('signalbox log --follow', () => {
  it('goes on with what comes, until it is stopped', async () => {
    using folder = project()
    const stop = new AbortController()
    const captured = captureTerminal(folder.path, stop.signal)
    const following = run(['log', '--follow'], commands, '0', captured.terminal)
    await running(folder.path, 'fire', 'shop', 'event.json')
    await running(folder.path, 'fire', 'keen', 'event.json')
    while (captured.printed.split('\n').length < 3) await new Promise(resolve => setTimeout(resolve, 20))
    stop.abort()
    expect(await following).toBe(0)
    expect(captured.printed).toMatch(/^#1 .* shop .*\n {4}│ at your service\n#2 .* keen .*$/)
  })

  it('shows only what comes with --last 0', async () => {
    using folder = project()
    await running(folder.path, 'fire', 'shop', 'event.json')
    const stop = new AbortController()
    const captured = captureTerminal(folder.path, stop.signal)
    const following = run(['log', '--follow', '-n0'], commands, '0', captured.terminal)
    await running(folder.path, 'fire', 'keen', 'event.json')
    while (captured.printed === '') await new Promise(resolve => setTimeout(resolve, 20))
    stop.abort()
    await following
    expect(captured.printed).toMatch(/^#2 .* keen .*$/)
  })
})
