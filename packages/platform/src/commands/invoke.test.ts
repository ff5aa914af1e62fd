import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { run } from '@signalbox/platform-runtime/command-line'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { commands } from './all.ts'

// The configuration is written in JavaScript, so that Node can import it without jest.
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
  return { exitCode, printed: captured.printed, printedErrors: captured.printedErrors }
}

describe('the commands invoke, log and replay', () => {
  it('send an event from a file, list the invocation, and send the logged event again', async () => {
    using folder = project()
    const invocation = await running(folder.path, 'invoke', 'shop', 'event.json')
    expect(invocation.exitCode).toBe(0)
    expect(invocation.printed).toMatch(
      /^logs\nat your service\npayload after \d+ ms\n\{\n {2}"statusCode": 200,[\s\S]*\nverdict 200 OK$/,
    )

    const log = await running(folder.path, 'log')
    expect(log.printed).toMatch(/^#1 \S+ shop GET \/orders\/7 → 200 OK \d+ ms\n {4}│ at your service$/)
    const [entry] = (await running(folder.path, 'log', 'shop', '--json')).printed
      .split('\n')
      .map(line => JSON.parse(line))
    expect(entry).toMatchObject({
      id: 1,
      source: 'invoke',
      event: JSON.stringify(httpEvent('GET', '/orders/7')),
    })
    expect((await running(folder.path, 'log', 'keen')).printed).toBe('Nothing has been invoked yet.')
    expect((await running(folder.path, 'log', 'keen', '--json')).printed).toBe('')

    expect((await running(folder.path, 'log', '--last', '0')).printed).toBe('')
    const replayed = await running(folder.path, 'replay', '#1', '--json')
    expect(JSON.parse(replayed.printed)).toMatchObject({ verdict: { ok: true, text: '200 OK' } })
    expect((await running(folder.path, 'log', '--last', '1')).printed).toMatch(/^#2 /)
  })

  it('exit with code 0 only if the platform accepts the function’s result for a sample event', async () => {
    using folder = project()
    expect(await running(folder.path, 'invoke', 'keen', '--sample', 'PreSignUp_SignUp')).toMatchObject({
      exitCode: 0,
      printed: expect.stringMatching(/verdict accepted with \{\}$/),
    })
    expect(await running(folder.path, 'invoke', 'careful', '--sample', 'PreSignUp_SignUp')).toMatchObject({
      exitCode: 0,
      printed: expect.stringMatching(
        /failure Error: Staff only\nverdict denied: PreSignUp failed with error Staff only\.$/,
      ),
    })
    expect(await running(folder.path, 'invoke', 'careful', '--sample=queue')).toMatchObject({
      exitCode: 1,
      printed: expect.stringMatching(/verdict failure: the invocation failed: Staff only$/),
    })
  })

  it.each([
    ['its module exits', 'crashing', 'crashing exited with code 3'],
    ['its module does not export it', 'nobody', 'The module exports no function named nobody.'],
  ])('exit with code 1 if a function does not answer because %s', async (_case, name, why) => {
    using folder = project()
    const { exitCode, printed } = await running(folder.path, 'invoke', name, '--sample', 'PreSignUp_SignUp')
    expect(exitCode).toBe(1)
    expect(printed).toContain(`failure ${why}`)
  })

  it('print the function’s logs without its colours where colours are off, and other control characters as visible symbols', async () => {
    using folder = project()
    const { printed } = await running(folder.path, 'invoke', 'painter', '--sample', 'queue')
    expect(printed).toContain('logs\nred and ␛]0;title␇\npayload')
    expect(printed).toContain('"also": "\ufffd"')
    expect(
      (await running(folder.path, 'invoke', 'painter', '--sample', 'queue', '--json')).printed,
    ).not.toContain('\u202e')
  })

  it('name the configuration file that cannot be loaded', async () => {
    using folder = project()
    writeFileSync(join(folder.path, 'signalbox.config.js'), 'export default { functions: {}, grase: 1 }')
    expect(await running(folder.path, 'invoke', 'shop', 'event.json')).toMatchObject({
      exitCode: 2,
      printedErrors: `${join(folder.path, 'signalbox.config.js')} cannot be understood:
/grase: expected the name grace, was an unknown name
see https://github.com/signalbox/signalbox/blob/main/docs/errors.md#INVALID_CONFIG`,
    })
  })

  it('mask secrets in the invocation log, and warn when a masked event is sent again', async () => {
    using folder = project()
    await running(folder.path, 'invoke', 'keen', '--sample', 'UserMigration_Authentication')
    const { printedErrors } = await running(folder.path, 'replay', '1')
    expect(printedErrors).toBe('Some values of this event are masked.')
  })

  it.each([
    ['invoke', 'invoke needs a function.'],
    ['invoke shop', 'invoke needs a file or a sample, and not both.'],
    ['invoke shop event.json --sample queue', 'invoke needs a file or a sample, and not both.'],
    ['invoke shop nowhere.json', 'nowhere.json cannot be sent: there is no such file.'],
    [
      'invoke shop {}',
      '{} cannot be sent: there is no such file. Write the event into a file, and name the file.',
    ],
    ['invoke shoop event.json', 'There is no function "shoop". Did you mean shop?'],
    ['invoke shop --sample quueue', 'There is no sample "quueue". Did you mean queue?'],
    ['invoke shop event.json more', 'invoke takes no argument "more".'],
    ['replay', 'replay needs the number of an invocation.'],
    ['replay x', 'replay needs the number of an invocation.'],
    ['replay 99', 'The invocation log has no entry #99.'],
    ['log --last x', '--last needs a number from 0 to 999999999, not "x".'],
    ['log shoop', 'There is no function "shoop". Did you mean shop?'],
    ['log --config nowhere.ts', 'There is no nowhere.ts.'],
    ['dev x', 'dev takes no argument "x".'],
  ])('refuse "signalbox %s" with exit code 2', async (line, sentence) => {
    using folder = project()
    expect(await running(folder.path, ...line.split(' '))).toMatchObject({
      exitCode: 2,
      printed: '',
      printedErrors: expect.stringContaining(sentence),
    })
  })
})

describe('signalbox log --follow', () => {
  it('prints new entries until it is stopped', async () => {
    using folder = project()
    const stop = new AbortController()
    const captured = captureTerminal(folder.path, stop.signal)
    const following = run(['log', '--follow'], commands, '0', captured.terminal)
    await running(folder.path, 'invoke', 'shop', 'event.json')
    await running(folder.path, 'invoke', 'keen', 'event.json')
    while (captured.printed.split('\n').length < 3) await new Promise(resolve => setTimeout(resolve, 20))
    stop.abort()
    expect(await following).toBe(0)
    expect(captured.printed).toMatch(/^#1 .* shop .*\n {4}│ at your service\n#2 .* keen .*$/)
  })

  it('prints only new entries if --last is 0', async () => {
    using folder = project()
    await running(folder.path, 'invoke', 'shop', 'event.json')
    const stop = new AbortController()
    const captured = captureTerminal(folder.path, stop.signal)
    const following = run(['log', '--follow', '-n0'], commands, '0', captured.terminal)
    await running(folder.path, 'invoke', 'keen', 'event.json')
    while (captured.printed === '') await new Promise(resolve => setTimeout(resolve, 20))
    stop.abort()
    await following
    expect(captured.printed).toMatch(/^#2 .* keen .*$/)
  })
})
