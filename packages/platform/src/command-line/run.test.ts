import { describe, expect, it } from '@jest/globals'
import { commandsAbout, defineCommand, run, UsageError } from '@signalbox/platform-runtime/command-line'
import { captureTerminal } from '../testing/capture-terminal.ts'

const greet = defineCommand({
  name: 'greet',
  summary: 'Greet somebody',
  usage: 'NAME [--loud] [--with WORD]…',
  examples: [['signalbox greet Ada', 'greets Ada']],
  options: {
    loud: { type: 'boolean', short: 'l', help: 'as it says' },
    with: { type: 'string', multiple: true, value: 'WORD', help: 'another word' },
  },
  async run({ loud = false, with: words = [] }, [name], terminal) {
    if (name === undefined) throw new UsageError('greet needs a name.')
    if (name === 'nobody') throw new Error('There is nobody.')
    if (name === 'root') throw Object.assign(new Error('attempt to write'), { code: 'ERR_SQLITE_ERROR' })
    terminal.print([name, ...words].join(' ') + (loud ? '!' : ''))
    return 0
  },
})

const mail = commandsAbout(
  'Mail',
  ['mail send', 'mail list', 'greet all'].map(name =>
    defineCommand({
      name,
      summary: `This is ${name}`,
      usage: '',
      examples: [['signalbox x', 'x']],
      options: {},
      run: async () => 0,
    }),
  ),
)

async function running(...args: string[]) {
  const captured = captureTerminal('/')
  const exitCode = await run(args, [greet], '1.2.3', captured.terminal, async () => [greet, ...mail])
  return { exitCode, printed: captured.printed, printedErrors: captured.printedErrors }
}

describe('run', () => {
  it('passes option values and positional arguments to the command', async () => {
    expect(await running('greet', '-l', 'Ada', '--with', 'and', '--with=Bob')).toEqual({
      exitCode: 0,
      printed: 'Ada and Bob!',
      printedErrors: '',
    })
    expect((await running('greet', '--', '--loud')).printed).toBe('--loud')
  })

  it('prints the list of commands, the help for one command, and the version', async () => {
    const { exitCode, printed } = await running('--help')
    expect(exitCode).toBe(0)
    expect(printed).toMatch(/greet {2,}Greet somebody/)
    for (const args of [
      ['greet', '--help'],
      ['greet', '-h'],
      ['help', 'greet'],
    ]) {
      const page = await running(...args)
      expect(page.exitCode).toBe(0)
      expect(page.printed).toBe(`Greet somebody

Usage: signalbox greet NAME [--loud] [--with WORD]…

Options:
  -l, --loud       as it says
      --with WORD  another word
  -h, --help       show this page

Related commands:
  greet all  This is greet all

Examples:
  signalbox greet Ada
      greets Ada`)
    }
    expect(await running('--version')).toMatchObject({ exitCode: 0, printed: '1.2.3' })
    expect(await running()).toEqual({ exitCode: 2, printed: '', printedErrors: printed })
  })

  it('lists the commands in groups by what they are about', async () => {
    const { printed } = await running('--help')
    expect(printed).toContain(`
Commands:
  greet      Greet somebody

Mail:
  mail send  This is mail send
  mail list  This is mail list
  greet all  This is greet all

Exit codes:`)
  })

  it.each([[['mail', '--help']], [['mail', '-h']], [['help', 'mail']]])(
    'has a page for the commands that begin with a word: %j',
    async args => {
      expect(await running(...args)).toEqual({
        exitCode: 0,
        printedErrors: '',
        printed: `The commands that begin with mail.

Usage: signalbox mail COMMAND [ARGUMENTS]

Commands:
  mail send  This is mail send
  mail list  This is mail list

More about a command: signalbox mail COMMAND --help`,
      })
    },
  )

  it('passes the optional value of a boolean option as an operand', async () => {
    const optional = defineCommand({
      name: 'look',
      summary: 'Look',
      usage: '',
      examples: [],
      options: { inspect: { type: 'boolean', value: '[NAME]', help: '' } },
      async run({ inspect }, operands, { print }) {
        print(JSON.stringify([inspect, operands]))
        return 0
      },
    })
    const captured = captureTerminal('/')
    await run(['look', '--inspect=shop'], [optional], '1', captured.terminal)
    await run(['look', '--inspect', 'shop'], [optional], '1', captured.terminal)
    expect(captured.printed).toBe('[true,["shop"]]\n[true,["shop"]]')
  })

  it('prints headings in bold on a terminal only', async () => {
    const captured = captureTerminal('/')
    const paint = (how: string, text: string) => `<${how}>${text}</>`
    const terminal: typeof captured.terminal = Object.create(captured.terminal, { paint: { value: paint } })
    await run(['--help'], [greet], '1', terminal)
    await run(['greet', '--help'], [greet], '1', terminal)
    expect(captured.printed).toContain('<bold>Commands:</>\n  greet  Greet somebody')
    expect(captured.printed).toContain('<bold>Options:</>\n')
    expect((await running('--help')).printed).not.toContain('\x1b')
  })

  it.each([
    ['gret', 'There is no command "gret". Did you mean greet?'],
    ['help gret', 'There is no command "gret". Did you mean greet?'],
    ['zzz', 'There is no command "zzz". The commands are greet, mail send, mail list, greet all.'],
    ['mail', '"mail" needs a second word. The commands are mail send, mail list.'],
    ['mail zzzzzz --help', 'There is no command "mail zzzzzz". The commands are mail send, mail list.'],
    ['zzz --help', 'There is no command "zzz". The commands are greet, mail send, mail list, greet all.'],
    ['mial send', 'There is no command "mial". Did you mean mail send?'],
    ['mail sned', 'There is no command "mail sned". Did you mean mail send?'],
    ['mail zzzzzz', 'There is no command "mail zzzzzz". The commands are mail send, mail list.'],
    ['greet Ada --lout', 'greet has no option --lout. Did you mean --loud?'],
    ['greet Ada --zzzzzzz', 'greet has no option --zzzzzzz.'],
    ['greet --with', "Option '--with <value>' argument missing"],
    ['greet --loud=yes Ada', "Option '-l, --loud' does not take an argument"],
    ['greet -x Ada', 'greet has no option -x.\nUsage: '],
    ['greet', 'greet needs a name.'],
    ['greet nobody', 'There is nobody.'],
    ['greet root', 'The files of the platform cannot be used: attempt to write.'],
  ])('refuses "signalbox %s" with exit code 2 and a reason', async (line, sentence) => {
    const { exitCode, printed, printedErrors } = await running(...line.split(' '))
    expect({ exitCode, printed }).toEqual({ exitCode: 2, printed: '' })
    expect(printedErrors).toContain(sentence)
  })
})
