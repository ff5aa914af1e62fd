import { existsSync, lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { nearest } from '@signalbox/codec'
import { createFolder } from '@signalbox/platform-runtime'
import type { Terminal } from '@signalbox/platform-runtime/command-line'
import { defineCommand, refuseOperands, sentence, UsageError } from '@signalbox/platform-runtime/command-line'
import {
  type Additions,
  additions,
  hasModules,
  readManifest,
  runnerOf,
  scriptName,
} from '../init/additions.ts'
import { languageProject } from '../init/language-project.ts'
import { languageNames, languages } from '../init/languages.ts'
import { reasonForNode } from '../init/needs-node.ts'
import { packageSource } from '../init/package-source.ts'
import { asModules, projectFiles } from '../init/project-files.ts'
import { starters } from '../init/starters.ts'
import { testRunners } from '../init/test-runners.ts'

const families = starters.map(({ family }) => family)
const runners = Object.keys(testRunners)

/** Writes a small, complete project. */
export const init = defineCommand({
  name: 'init',
  summary: 'Write a small working project into a folder',
  usage: '[FOLDER] [--families LIST] [--language NAME] [--runner NAME] [--add]',
  details: `Writes a configuration, a function and a first test for each family, and a template that deploys them. In a
language other than node, it writes a configuration, the functions, and a runtime client that calls them. Asks on a terminal
for what is not said; elsewhere the defaults count. Refuses a folder with files that it would overwrite. A README.md, an
AGENTS.md and a .gitignore that are there stay as they are. With --add, every file that is there stays as it is: init writes what is missing,
and prints what to change in the others.`,
  examples: [
    ['signalbox init', 'writes into this folder'],
    ['signalbox init shop', 'makes the folder shop, and writes into it'],
    ['signalbox init shop --families load-balancer,queue --runner vitest', 'two functions, and no questions'],
    ['signalbox init shop --families all', 'a function for each family'],
    ['signalbox init shop --language python', 'a function in Python'],
    ['signalbox init --add --families queue', 'adds a function to the project in this folder'],
  ],
  options: {
    families: {
      type: 'string',
      value: 'LIST',
      help: `${families.join(', ')} or all (default: ${families[0]})`,
    },
    language: {
      type: 'string',
      value: 'NAME',
      help: `${languageNames.join(', ')} (default: ${languageNames[0]})`,
    },
    runner: { type: 'string', value: 'NAME', help: `${runners.join(', ')} (default: ${runners[0]})` },
    add: { type: 'boolean', help: 'overwrite nothing, and print what to change' },
  },
  async run(values, operands, terminal) {
    refuseOperands('init', operands, 1)
    const { cwd, print } = terminal
    const folder = resolve(cwd, operands[0] ?? '.')
    if (existsSync(folder) && !statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder.`)
    const textOf = (path: string) =>
      isThere(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined
    const own = values.add ? textOf('package.json') : undefined
    const manifest = own === undefined ? undefined : readManifest(own)
    const usedRunner = manifest && runnerOf(manifest, runners)

    const chosen =
      values.families === undefined
        ? await ask('Which families?', families, false, terminal)
        : choices('family', values.families, families)
    const [language = ''] =
      values.language !== undefined
        ? [choice('language', values.language, languageNames)]
        : values.runner !== undefined || usedRunner !== undefined
          ? languageNames
          : await ask('Which language?', languageNames, true, terminal)
    if (language !== 'node' && values.runner !== undefined)
      throw new UsageError('--runner is for --language node: in other languages, init writes no tests.')
    const added = starters.filter(({ family }) => chosen.includes(family))
    const ownNode = reasonForNode(process)
    const settings = {
      name: projectName(folder),
      starters: added,
      source: packageSource(),
      needsNode: ownNode !== undefined,
    }
    const runner = async () =>
      values.runner === undefined && usedRunner === undefined
        ? (await ask('Which test runner?', runners, true, terminal))[0]!
        : choice('test runner', values.runner ?? usedRunner!, runners)
    const other = languages[language]?.()
    const project =
      other === undefined
        ? projectFiles({ ...settings, runner: testRunners[await runner()]! })
        : languageProject({ ...settings, language: other })
    const all = manifest === undefined || hasModules(manifest) ? project : asModules(project)
    const { files, changes } = values.add ? additions(all, added, other, textOf) : inNewProject(folder, all)
    try {
      for (const [path, content] of Object.entries(files)) {
        createFolder(dirname(join(folder, path)))
        writeFileSync(join(folder, path), content, { flag: 'wx' })
      }
    } catch (error) {
      throw new Error(`The project cannot be written to ${folder}: ${sentence((error as Error).message)}`, {
        cause: error,
      })
    }
    const script = (name: string) => {
      const chosen = scriptName(name, manifest ?? {}, readManifest(all['package.json']!))
      return chosen === 'test' ? 'npm test' : `npm run ${chosen}`
    }
    const steps = [
      ...(folder === cwd ? [] : [`cd ${quoted(relative(cwd, folder))}`]),
      'npm install',
      ...(other === undefined ? [script('test')] : []),
      script('dev'),
    ]
    const node =
      ownNode === undefined ? '' : `\n\nThe project brings a Node, for npm and npx, because ${ownNode}.`
    const written = Object.keys(files)
    print(
      [
        written.length === 0
          ? `Nothing is missing in ${folder}.`
          : `Written to ${folder}: ${written.join(', ')}${node}`,
        ...(changes.length === 0 || !values.add
          ? []
          : [`Unchanged, for you to change:\n${changes.join('\n')}`]),
        `Now:\n${steps.map(step => `  ${step}`).join('\n')}`,
        ...(values.add ? [] : [changes.join('\n')]),
      ].join('\n\n'),
    )
    return 0
  },
})

/**
 * Returns the files of a new project that the folder does not have yet, and what it says about those that it has.
 * @throws Error if the project would overwrite files
 */
function inNewProject(folder: string, all: Additions['files']): Additions {
  const there = Object.keys(all).filter(path => isThere(join(folder, path)))
  const overwritten = there.filter(path => !mayStay.includes(path))
  if (overwritten.length > 0)
    throw new Error(
      `${folder} has files that init would overwrite: ${overwritten.join(', ')}. Move them, name another folder (signalbox init FOLDER), or let init write only what is missing: signalbox init --add.`,
    )
  const ignored = all['.gitignore']!.trim().split('\n').join(', ')
  return {
    files: Object.fromEntries(Object.entries(all).filter(([path]) => !there.includes(path))),
    changes: [
      ...(there.includes('.gitignore')
        ? [`.gitignore was there and is unchanged. It should have the lines ${ignored}.`]
        : []),
      there.includes('README.md')
        ? 'README.md was there and is unchanged. See https://www.npmjs.com/package/@signalbox/platform'
        : 'README.md says how to try and to deploy it.',
    ],
  }
}

/** The files that a repository often has before its first code. */
const mayStay: readonly string[] = ['.gitignore', 'AGENTS.md', 'README.md']

/** Returns whether there is a file, or a link that leads nowhere. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // The folder is below a file, for example. The first write reports that.
    return false
  }
}

/** Lets the user choose. The first name is the default, and counts without a terminal. */
async function ask(question: string, names: readonly string[], isOne: boolean, { choose }: Terminal) {
  const chosen = names[0]!
  return choose === undefined ? [chosen] : choose(question, names, { chosen, isOne })
}

function choices(what: string, text: string, known: readonly string[]): readonly string[] {
  if (text === 'all') return known
  const names = text.split(/[\s,]+/).filter(name => name !== '')
  if (names.length === 0) throw new UsageError(`init needs a ${what}: ${known.join(', ')} or all.`)
  return names.map(name => choice(what, name, known, ['all']))
}

/** @throws UsageError for an unknown name, with the most similar known name */
function choice(what: string, name: string, known: readonly string[], more: readonly string[] = []): string {
  if (known.includes(name)) return name
  const meant = nearest(name, [...known, ...more])
  throw new UsageError(
    `There is no ${what} ${JSON.stringify(name)}. ${
      meant === undefined ? `Choose ${[...known, ...more].join(', ')}.` : `Did you mean ${meant}?`
    }`,
  )
}

/** Quotes a path for a shell. */
function quoted(path: string): string {
  if (/^[\w./\\][\w./\\-]*$/.test(path)) return path
  return /["$`!\\]/.test(path) ? `'${path.replaceAll("'", `'\\''`)}'` : `"${path}"`
}

/** Converts a folder name to a package name that npm accepts. */
function projectName(folder: string): string {
  return (
    basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'project'
  )
}
