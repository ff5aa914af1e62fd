import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { type Choose, run } from '@signalbox/platform-runtime/command-line'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { commands } from './all.ts'

type Settings = Parameters<Choose>[2]

const isLinux = process.platform === 'linux'
const onLinux = isLinux ? it : it.skip

async function running(folder: string, args: readonly string[] = [], answers?: string[][]) {
  const questions: string[] = []
  const choose = async (question: string, names: readonly string[], { chosen, isOne }: Settings) => {
    questions.push(`${question} ${isOne ? 'one' : 'some'} of ${names.join(', ')} [${chosen}]`)
    return answers!.shift()!
  }
  const captured = captureTerminal(folder, undefined, answers && { choose })
  const exitCode = await run(['init', ...args], commands, '0', captured.terminal)
  return { exitCode, questions, printed: captured.printed, printedErrors: captured.printedErrors }
}

const functionsIn = (folder: string) =>
  readdirSync(join(folder, 'functions')).filter(name => !name.endsWith('.test.ts'))

describe('signalbox init', () => {
  it('writes a project for HTTP requests into an empty folder, and prints the next steps', async () => {
    using folder = temporaryFolder()
    mkdirSync(join(folder.path, '.git'))
    const { exitCode, printed } = await running(folder.path)
    expect(exitCode).toBe(0)
    expect(printed).toContain('Now:\n  npm install\n  npm test\n  npm run dev')
    expect(readdirSync(folder.path, { recursive: true }).sort()).toEqual([
      '.git',
      '.gitignore',
      '.npmrc',
      'AGENTS.md',
      'README.md',
      'build.ts',
      'functions',
      'functions/shop.test.ts',
      'functions/shop.ts',
      'package.json',
      'signalbox.config.ts',
      'template.yaml',
      'tsconfig.json',
    ])
    expect(JSON.parse(readFileSync(join(folder.path, 'package.json'), 'utf8'))).toMatchObject({
      name: expect.stringMatching(/^signalbox-test-[a-z0-9-]+$/),
      scripts: { test: 'node --test --test-timeout=30000' },
      dependencies: {
        '@signalbox/core': expect.stringMatching(/^file:.*\/packages\/core$/),
        // The new project also depends on the packages of event sources, because packages in a checkout are not in a
        // registry.
        '@signalbox/queue': expect.stringMatching(/^file:.*\/packages\/queue$/),
      },
    })
  })

  it('writes a function for each family in --families, and tests for the runner in --runner', async () => {
    using folder = temporaryFolder()
    await running(folder.path, ['--families', 'queue,user-pool', '--runner', 'vitest'])
    expect(functionsIn(folder.path)).toEqual(['orders.ts', 'sign-up.ts'])
    expect(readFileSync(join(folder.path, 'functions/orders.test.ts'), 'utf8')).toMatch(
      /^import \{ expect, test \} from 'vitest'\n/,
    )
    const template = readFileSync(join(folder.path, 'template.yaml'), 'utf8')
    expect(template.match(/CodeUri: .*/g)).toEqual(['CodeUri: dist/sign-up', 'CodeUri: dist/orders'])
  })

  it('lets the user choose on a terminal what no option says', async () => {
    using folder = temporaryFolder()
    const { questions } = await running(folder.path, [], [['queue', 'mail-flow'], ['node'], ['vitest']])
    expect(questions).toEqual([
      'Which families? some of load-balancer, user-pool, queue, mail-flow [load-balancer]',
      'Which language? one of node, python, go, shell [node]',
      'Which test runner? one of node:test, jest, vitest [node:test]',
    ])
    expect(functionsIn(folder.path)).toEqual(['mailroom.ts', 'orders.ts'])
    expect(readFileSync(join(folder.path, 'package.json'), 'utf8')).toContain('vitest run')
  })

  it.each([
    ['python', ['functions/orders.py', 'functions/runtime.py', 'functions/sign_up.py']],
    [
      'go',
      [
        'functions/go.mod',
        'functions/orders',
        'functions/orders/main.go',
        'functions/run.sh',
        'functions/sign-up',
        'functions/sign-up/main.go',
        'functions/signalbox',
        'functions/signalbox/signalbox.go',
      ],
    ],
    ['shell', ['functions/orders.sh', 'functions/runtime.sh', 'functions/sign_up.sh']],
  ])('writes functions in %s, and a runtime client', async (language, files) => {
    using folder = temporaryFolder()
    const { printed } = await running(folder.path, [
      ...['--families', 'queue,user-pool', '--language', language],
    ])
    expect(printed).toContain('Now:\n  npm install\n  npm run dev')
    expect(readdirSync(folder.path, { recursive: true }).sort()).toEqual([
      ...['.gitignore', '.npmrc', 'AGENTS.md', 'README.md', 'functions'],
      ...files,
      ...['package.json', 'signalbox.config.ts'],
    ])
    const { dependencies } = JSON.parse(readFileSync(join(folder.path, 'package.json'), 'utf8'))
    expect(dependencies).toHaveProperty('@signalbox/platform')
    expect(dependencies).not.toHaveProperty('io-ts')
  })

  it('with --add writes a function in another language, and prints its command', async () => {
    using folder = temporaryFolder()
    await running(folder.path, ['--language', 'python'])
    const { printed } = await running(folder.path, [
      ...['--add', '--language', 'python', '--families', 'load-balancer,queue'],
    ])
    expect(printed).toMatch(/^Written to \S+: functions\/orders\.py\n/)
    expect(printed).toContain(
      "orders: { command: ['python3', 'runtime.py'], export: 'orders.handler', cwd: 'functions', dialect: 'aws' }",
    )
    expect(printed).not.toContain('shop.handler')
  })

  it('does not ask for options that are given', async () => {
    using folder = temporaryFolder()
    const { questions } = await running(
      folder.path,
      ['--families', 'all', '--language', 'node', '--runner', 'jest'],
      [],
    )
    expect(questions).toEqual([])
    expect(functionsIn(folder.path)).toHaveLength(4)
  })

  it.each([
    ['--families sqs', 'There is no family "sqs". Choose load-balancer, user-pool, queue, mail-flow, all.'],
    ['--families al', 'There is no family "al". Did you mean all?'],
    ['--families ,', 'init needs a family: load-balancer, user-pool, queue, mail-flow or all.'],
    ['--family queue', 'init has no option --family. Did you mean --families?'],
    ['--language rust', 'There is no language "rust". Choose node, python, go, shell.'],
    ['--language pyton', 'There is no language "pyton". Did you mean python?'],
    [
      '--language go --runner jest',
      '--runner is for --language node: in other languages, init writes no tests.',
    ],
    ['--runner vite', 'There is no test runner "vite". Did you mean vitest?'],
  ])('refuses "%s", and writes nothing', async (line, sentence) => {
    using folder = temporaryFolder()
    expect(await running(folder.path, line.split(' '))).toMatchObject({
      exitCode: 2,
      printedErrors: expect.stringContaining(sentence),
    })
    expect(readdirSync(folder.path)).toEqual([])
  })

  it('creates the project folder if it does not exist', async () => {
    using folder = temporaryFolder()
    const { printed } = await running(folder.path, ['My Shop'])
    expect(printed).toContain('Now:\n  cd "My Shop"\n')
    expect(readFileSync(join(folder.path, 'My Shop', 'package.json'), 'utf8')).toContain('"name": "my-shop"')
  })

  it.each([
    ['shop-2', 'shop-2'],
    ["Ada's", `"Ada's"`],
    ["Ada's $5", `'Ada'\\''s $5'`],
  ])('prints a cd command that works in a shell for the folder name "%s"', async (name, quoted) => {
    using folder = temporaryFolder()
    expect((await running(folder.path, [name])).printed).toContain(`Now:\n  cd ${quoted}\n`)
  })

  it('writes into a new repository, and changes none of its files', async () => {
    using folder = temporaryFolder()
    const own = ['.gitignore', 'LICENSE', 'README.md', 'notes.txt']
    for (const name of own) writeFileSync(join(folder.path, name), 'mine')
    for (const name of ['.git', '.github']) mkdirSync(join(folder.path, name))
    const { exitCode, printed } = await running(folder.path)
    expect(exitCode).toBe(0)
    expect(own.map(name => readFileSync(join(folder.path, name), 'utf8'))).toEqual(own.map(() => 'mine'))
    expect(readdirSync(folder.path)).toContain('signalbox.config.ts')
    expect(printed.split('\n')[0]).not.toMatch(/README\.md|\.gitignore/)
    expect(printed).toMatch(
      /^\.gitignore was there and is unchanged\. It should have the lines dist\/, .*\.signalbox\//m,
    )
    expect(printed).toMatch(/^README\.md was there and is unchanged\. /m)
  })

  it('refuses a folder with files that it would overwrite, names them, and does not change it', async () => {
    using folder = temporaryFolder()
    mkdirSync(join(folder.path, 'functions'))
    const own = ['README.md', 'functions/shop.ts', 'package.json']
    for (const name of own) writeFileSync(join(folder.path, name), 'mine')
    symlinkSync('nowhere', join(folder.path, 'tsconfig.json'))
    const { exitCode, printedErrors } = await running(folder.path)
    expect(exitCode).toBe(2)
    expect(printedErrors).toMatch(
      / has files that init would overwrite: package\.json, tsconfig\.json, functions\/shop\.ts\. Move them, name another folder \(signalbox init FOLDER\), or let init write only what is missing: signalbox init --add\.$/,
    )
    expect(readdirSync(folder.path).sort()).toEqual([
      'README.md',
      'functions',
      'package.json',
      'tsconfig.json',
    ])
    expect(own.map(name => readFileSync(join(folder.path, name), 'utf8'))).toEqual(own.map(() => 'mine'))
    writeFileSync(join(folder.path, 'mine.txt'), '')
    expect((await running(folder.path, ['mine.txt'])).printedErrors).toMatch(/mine\.txt is not a folder\.$/)
  })

  it('with --add writes what is missing, overwrites nothing, and prints what to change', async () => {
    using folder = temporaryFolder()
    await running(folder.path)
    const own = {
      'package.json': `{ "type": "module", "scripts": { "test": "jest", "dev": "signalbox dev" }, "devDependencies": { "jest": "30" } }`,
      'tsconfig.json': '{ /* mine */ }',
      'template.yaml': 'Resources: {}\n',
    }
    for (const [name, text] of Object.entries(own)) writeFileSync(join(folder.path, name), text)
    const before = ['signalbox.config.ts', 'build.ts', '.gitignore', 'README.md', 'functions/shop.ts']
    const textOf = (name: string) => readFileSync(join(folder.path, name), 'utf8')
    const texts = before.map(textOf)
    const { exitCode, printed } = await running(folder.path, ['--add', '--families', 'load-balancer,queue'])
    expect(exitCode).toBe(0)
    expect(printed).toMatch(/^Written to \S+: functions\/orders\.ts, functions\/orders\.test\.ts\n/)
    expect(textOf('functions/orders.test.ts')).toContain("from '@jest/globals'")
    expect([...before.map(textOf), ...Object.keys(own).map(textOf)]).toEqual([
      ...texts,
      ...Object.values(own),
    ])
    const changeOf = (name: string) =>
      new RegExp(`^${name.replaceAll('.', '\\.')}\n((?:  .*\n|\n(?=  ))+)`, 'm').exec(printed)?.[1]
    const manifest = JSON.parse(changeOf('package.json')!.replace(/^ +add/, ''))
    expect(manifest.scripts).toMatchObject({
      'functions:test': expect.stringContaining('jest.js'),
      build: 'node build.ts',
    })
    expect(manifest.scripts).not.toHaveProperty('dev')
    expect(printed).toMatch(/ {2}npm install\n {2}npm run functions:test\n {2}npm run dev$/m)
    expect(manifest.dependencies).toHaveProperty('@signalbox/queue')
    expect(manifest.devDependencies).not.toHaveProperty('jest')
    expect(changeOf('signalbox.config.ts')).toMatch(
      /orders: \{ module: '\.\/functions\/orders\.ts'[\s\S]*queues: \{/,
    )
    expect(changeOf('signalbox.config.ts')).not.toContain('shop')
    expect(changeOf('build.ts')).toBe('  bundle functions/orders.ts\n')
    expect(changeOf('tsconfig.json')).toContain('"erasableSyntaxOnly": true')
    expect(changeOf('template.yaml')).toContain('OrdersQueue')
    expect(changeOf('README.md')).toBeUndefined()
  })

  it('with --add writes ES modules into a CommonJS project, beside a configuration of another kind', async () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'package.json'), '{}')
    writeFileSync(join(folder.path, 'signalbox.config.mjs'), 'export default {}')
    const { printed } = await running(folder.path, ['--add', '--families', 'queue'])
    expect(readdirSync(join(folder.path, 'functions')).sort()).toEqual(['orders.mts', 'orders.test.mts'])
    expect(readFileSync(join(folder.path, 'functions/orders.test.mts'), 'utf8')).toContain(
      "from './orders.mts'",
    )
    expect(readdirSync(folder.path)).not.toContain('signalbox.config.mts')
    expect(printed).toMatch(/^signalbox\.config\.mjs\n {2}add\n[\s\S]*functions\/orders\.mts/m)
    writeFileSync(join(folder.path, 'package.json'), '[]')
    expect(await running(folder.path, ['--add'])).toMatchObject({
      exitCode: 2,
      printedErrors: expect.stringContaining('package.json is not a JSON object.'),
    })
  })

  onLinux.each(['/proc/shop', '/dev/null/shop'])(
    `says that it cannot write to %s${isLinux ? '' : ' (skipped: needs Linux)'}`,
    async path => {
      using folder = temporaryFolder()
      expect(await running(folder.path, [path])).toMatchObject({
        exitCode: 2,
        printed: '',
        printedErrors: expect.stringMatching(
          new RegExp(`^The project cannot be written to ${path}: ENO(ENT|TDIR): .+, mkdir '${path}'\\.$`),
        ),
      })
    },
  )
})
