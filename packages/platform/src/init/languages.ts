import { readFileSync } from 'node:fs'
import type { Starter } from '@signalbox/platform-runtime'
import { languagesFolder } from '../own-code.ts'

/** A language other than Node's in which a new project has its functions. */
export interface Language {
  readonly codeOf: (starter: Starter) => string
  /** Returns the path of a function's source. */
  readonly fileOf: (functionName: string) => string
  /** Returns the keys in the configuration that say how a function runs. */
  readonly keysOf: (functionName: string) => string
  /** The files beside the functions, by path: the runtime client, and what the language needs. */
  readonly files: { readonly [path: string]: string }
  readonly dev: string
  /** What the machine needs, for the README. */
  readonly needs: string
  /** Further paragraphs of the README. */
  readonly remarks: string
}

/** Returns the source of a runtime client, which users copy. It is packed beside `src` and `dist`. */
const client = (path: string) => readFileSync(new URL(path, languagesFolder), 'utf8')

const buildAndRun = `#!/bin/sh
# Builds a function, and becomes it. Go builds only what has changed.
set -e
mkdir -p .build
# With its temporary files in the same folder, the finished program appears at once, although several instances build it.
GOTMPDIR=$PWD/.build go build -o ".build/$1" "./$1"
exec ".build/$1"
`

const withClient = (program: string, file: string) => (functionName: string) =>
  `command: ['${program}', '${file}'], export: '${moduleName(functionName)}.handler', cwd: 'functions'`

/** Returns the name of a function as a name of a module that Python can import. */
const moduleName = (functionName: string) => functionName.replaceAll('-', '_')

/** Returns the languages by name, except `node`, whose projects have more. */
export const languages: { readonly [name: string]: () => Language } = {
  python: () => ({
    codeOf: ({ code }) => code.python,
    fileOf: name => `functions/${moduleName(name)}.py`,
    keysOf: withClient('python3', 'runtime.py'),
    files: { 'functions/runtime.py': client('python/runtime.py') },
    dev: 'signalbox dev',
    needs: 'Python 3.8',
    remarks: `\`functions/runtime.py\` calls the functions, with Python's standard library alone. It is yours to change. On AWS Lambda
the functions run without it, for example with the handler \`shop.handler\`.`,
  }),
  go: () => ({
    codeOf: ({ code }) => code.go,
    fileOf: name => `functions/${name}/main.go`,
    keysOf: name => `command: ['sh', 'run.sh', '${name}'], cwd: 'functions', memory: 1024`,
    files: {
      'functions/go.mod': 'module functions\n\ngo 1.18\n',
      'functions/run.sh': buildAndRun,
      'functions/signalbox/signalbox.go': client('go/signalbox.go'),
    },
    dev: 'cd functions && go build ./... && cd .. && signalbox dev',
    needs: 'Go 1.18',
    remarks: `\`functions/signalbox\` calls the functions, with Go's standard library alone. It is yours to change. \`functions/run.sh\`
builds a function when an instance starts, and so after each change. The \`memory\` in \`signalbox.config.ts\` is
for Go's compiler, too. In production, build before, and let \`command\` name the program.`,
  }),
  shell: () => ({
    codeOf: ({ code }) => code.shell,
    fileOf: name => `functions/${moduleName(name)}.sh`,
    keysOf: withClient('bash', 'runtime.sh'),
    files: { 'functions/runtime.sh': client('shell/runtime.sh') },
    dev: 'signalbox dev',
    needs: 'bash, curl and jq',
    remarks: `\`functions/runtime.sh\` calls the functions. It is yours to change.`,
  }),
}

/** The languages of new projects. The first one is the default. */
export const languageNames = ['node', ...Object.keys(languages)]
