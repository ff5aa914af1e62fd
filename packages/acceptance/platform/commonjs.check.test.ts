import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/commonjs.md'), 'utf8')
const blockOf = (language: string) => new RegExp(`\`\`\`${language}\n([\\s\\S]+?)\n\`\`\``).exec(page)![1]!

it.each(['nodenext', 'commonjs'])(
  'the function on the page about CommonJS works when it is compiled with the module setting %s',
  module => {
    using folder = temporaryFolder()
    const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text)
    const run = (program: string, ...args: readonly string[]) =>
      execFileSync(program, args, {
        cwd: folder.path,
        encoding: 'utf8',
        env: { ...process.env, NODE_OPTIONS: '' },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'))
    mkdirSync(join(folder.path, 'src'))
    write('package.json', '{ "name": "old" }')
    const { compilerOptions } = JSON.parse(blockOf('json'))
    write('tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, module } }))
    write('src/orders.ts', blockOf('ts'))
    write(
      'run.js',
      `const { handler } = require('./dist/orders.js')
      const { awsEvent } = require('@signalbox/aws/testing')
      const { queueEvent } = require('@signalbox/queue/testing')
      const bodies = [{ order: '7', parcels: 2 }, { order: '8', parcels: 0 }]
      handler(awsEvent(queueEvent({ bodies })), {}).then(answer => console.log(JSON.stringify(answer)))`,
    )
    run(join(root, 'node_modules/.bin/tsc'))
    expect(readFileSync(join(folder.path, 'dist/orders.js'), 'utf8')).toContain('require("@signalbox/queue")')
    const answer = JSON.parse(run(process.execPath, 'run.js'))
    expect(answer.batchItemFailures).toHaveLength(1)
  },
)
