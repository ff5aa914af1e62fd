import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { defineCommand, refuseOperands } from '@signalbox/platform-runtime/command-line'
import { packageSource } from '../init/package-source.ts'
import { projectFiles } from '../init/project-files.ts'

/** Writes a small project that works. */
export const init = defineCommand({
  name: 'init',
  summary: 'Write a small working project into an empty folder',
  usage: '[FOLDER]',
  details:
    'Writes a configuration, a function behind a load balancer, and a test. Refuses a folder that is not empty.',
  examples: [
    ['signalbox init', 'writes into this folder'],
    ['signalbox init shop', 'makes the folder shop, and writes into it'],
  ],
  options: {},
  async run(_values, operands, { cwd, print }) {
    refuseOperands('init', operands, 1)
    const folder = resolve(cwd, operands[0] ?? '.')
    if (existsSync(folder) && !statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder.`)
    const there = existsSync(folder) ? readdirSync(folder).filter(name => name !== '.git') : []
    if (there.length > 0) throw new Error(`${folder} is not empty: it holds ${there.slice(0, 3).join(', ')}.`)

    const files = projectFiles(projectName(folder), packageSource(import.meta.url))
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    const steps = [
      ...(folder === cwd ? [] : [`cd ${quoted(relative(cwd, folder))}`]),
      'npm install',
      'npm test',
      'npx signalbox dev',
      'curl http://127.0.0.1:3000/hello/Ada',
    ]
    print(
      `Written to ${folder}: ${Object.keys(files).join(', ')}\n\nNow:\n${steps.map(step => `  ${step}`).join('\n')}`,
    )
    return 0
  },
})

/** A path as a shell reads it. */
function quoted(path: string): string {
  if (/^[\w./\\][\w./\\-]*$/.test(path)) return path
  return /["$`!\\]/.test(path) ? `'${path.replaceAll("'", `'\\''`)}'` : `"${path}"`
}

/** A name that npm accepts. */
function projectName(folder: string): string {
  return (
    basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'project'
  )
}
