import type { Starter } from '@signalbox/platform-runtime'
import { agentsPage, commonCommands } from './agents-page.ts'
import { deployTemplate } from './deploy-template.ts'
import { oldestNode } from './needs-node.ts'
import { projectReadme } from './project-readme.ts'
import type { NodeProjectSettings, ProjectSettings } from './project-settings.ts'

/** The version of Node for projects that need their own. */
export const ownNode = { node: '^24.0.0' }

/** The version ranges of packages that are not part of Signalbox. */
const others: { readonly [name: string]: string } = { 'io-ts': '^2.2.22' }
const tools = { '@types/node': '^24.0.0', esbuild: '^0.28.0', typescript: '^7.0.0' }

/**
 * Returns the files of a new project in TypeScript: a configuration, a function and a test for each family, a build script, and a
 * deployment template. See docs/decisions/bundles-and-publishing.md#projects-of-init.
 */
export function projectFiles(settings: NodeProjectSettings): { readonly [path: string]: string } {
  const { starters, runner, source } = settings
  return {
    'package.json': json(manifest(settings)),
    ...npmSettings(source),
    '.gitignore': 'dist/\nnode_modules/\n.aws-sam/\n.signalbox/\nsamconfig.toml\n',
    'README.md': projectReadme(settings),
    'AGENTS.md': agentsPage({
      starters,
      fileOf: name => `functions/${name}.ts`,
      commands: [
        ...commonCommands,
        ['npm test', 'runs the tests'],
        ['npm run types', 'checks the types'],
        ['npm run build', 'bundles each function that build.ts names'],
      ],
      rules: [
        'Run `npm test` and `npm run types` after each change. `npx signalbox check functions` looks for mistakes of functions that no type and no platform reports.',
        'Imports have the extension `.ts`, and types are imported with `import type`: Node runs the TypeScript without a build.',
        'A new function has a line in `signalbox.config.ts`, in `build.ts` and in `template.yaml`.',
      ],
    }),
    'tsconfig.json': json(tsconfig),
    'signalbox.config.ts': config(starters, name => moduleKey(name)),
    'build.ts': buildScript(starters),
    'template.yaml': deployTemplate(starters),
    ...Object.fromEntries(
      starters.flatMap(({ functionName, code, test }) => [
        [`functions/${functionName}.ts`, code.node],
        [`functions/${functionName}.test.ts`, test(runner)],
      ]),
    ),
  }
}

function manifest({ name, starters, runner, source, needsNode }: NodeProjectSettings) {
  const packages = new Set([
    '@signalbox/aws',
    '@signalbox/core',
    '@signalbox/platform',
    ...source.beside,
    ...starters.flatMap(starter => starter.packages),
  ])
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: `>=${oldestNode.join('.')}` },
    scripts: {
      dev: 'signalbox dev',
      test: runner.script,
      types: 'tsc',
      build: 'node build.ts',
    },
    dependencies: versions([...packages], each => others[each] ?? source.versionOf(each)),
    devDependencies: sorted({
      ...tools,
      '@signalbox/bundler': source.versionOf('@signalbox/bundler'),
      ...runner.devDependencies,
      ...(needsNode ? ownNode : {}),
    }),
    // npm asks before it runs a package's install script.
    allowScripts: Object.fromEntries(
      ['esbuild', ...runner.installScripts, ...(needsNode ? ['node'] : [])].map(each => [each, true]),
    ),
    ...runner.manifest,
  }
}

const tsconfig = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noEmit: true,
    // Node removes types but compiles nothing. These options report code that Node cannot run.
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  },
  exclude: ['dist', 'node_modules'],
}

/**
 * Returns the files of a new project for a package whose JavaScript is CommonJS: the extension `.mts` makes each of them
 * an ES module.
 */
export function asModules(files: { readonly [path: string]: string }): { readonly [path: string]: string } {
  const renamed = (text: string) => text.replaceAll(/\.ts\b/g, '.mts')
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [renamed(path), renamed(text)]))
}

/** Returns the settings of npm for a new project. */
export function npmSettings({ beside }: ProjectSettings['source']): { readonly [path: string]: string } {
  // With this setting, npm copies packages from folders as if they came from a registry.
  return beside.length > 0 ? { '.npmrc': 'install-links=true\n' } : {}
}

/** Returns the key in the configuration that names the module of a function. */
export const moduleKey = (functionName: string, extension = '.ts') =>
  `module: './functions/${functionName}${extension}'`

/**
 * Returns the line of a function in the configuration.
 * @param keys the keys that say where its code is
 */
export function functionLine(functionName: string, keys: string): string {
  const name = /^\w+$/.test(functionName) ? functionName : `'${functionName}'`
  return `    ${name}: { ${keys}, dialect: 'aws' },\n`
}

/**
 * Returns the configuration of a new project.
 * @param keysOf returns the keys that say where the code of a function is
 */
export function config(starters: readonly Starter[], keysOf: (functionName: string) => string): string {
  const functions = starters.map(({ functionName }) => functionLine(functionName, keysOf(functionName)))
  return `import { defineConfig } from '@signalbox/platform'

export default defineConfig({
  functions: {
${functions.join('')}  },
${starters.map(starter => starter.config).join('')}})
`
}

/** Returns the script that bundles the functions. Its options have the values that make functions start soonest. */
function buildScript(starters: readonly Starter[]): string {
  const entries = starters.map(({ functionName }) => `    'functions/${functionName}.ts',\n`)
  return `import { codecs } from '@signalbox/bundler'
import { build } from 'esbuild'

await build({
  entryPoints: [
${entries.join('')}  ],
  outdir: 'dist',
  entryNames: '[name]/index',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  mainFields: ['module', 'main'],
  // Prints the size of each bundle.
  logLevel: 'info',
  // The plugin compiles the codecs, and leaves out the explanations of mistakes that tests find.
  plugins: [codecs.esbuild({ production: true })],
})
`
}

/** Returns the versions of packages, for package.json. */
export function versions(names: readonly string[], versionOf: (name: string) => string) {
  return sorted(Object.fromEntries(names.map(name => [name, versionOf(name)])))
}

function sorted(map: { readonly [name: string]: string }) {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns a value as the content of a JSON file. */
export function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
