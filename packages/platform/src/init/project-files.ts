import type { Starter } from '@signalbox/platform-runtime'
import { deployTemplate } from './deploy-template.ts'
import { oldestNode } from './needs-node.ts'
import { projectReadme } from './project-readme.ts'
import type { ProjectSettings } from './project-settings.ts'

/** The version ranges of packages that are not part of Signalbox. */
const others: { readonly [name: string]: string } = { 'io-ts': '^2.2.22' }
const tools = { '@types/node': '^24.0.0', esbuild: '^0.28.0', typescript: '^7.0.0' }

/**
 * Returns the files of a new project: a configuration, a function and a test for each family, a build script, and a
 * deployment template. See docs/decisions/bundles-and-publishing.md#projects-of-init.
 */
export function projectFiles(settings: ProjectSettings): { readonly [path: string]: string } {
  const { starters, runner, source } = settings
  return {
    'package.json': json(manifest(settings)),
    // With this setting, npm copies packages from folders as if they came from a registry.
    ...(source.beside.length > 0 ? { '.npmrc': 'install-links=true\n' } : {}),
    '.gitignore': 'dist/\nnode_modules/\n.aws-sam/\n.signalbox/\nsamconfig.toml\n',
    'README.md': projectReadme(settings),
    'tsconfig.json': json(tsconfig),
    'signalbox.config.ts': config(starters),
    'build.ts': buildScript(starters),
    'template.yaml': deployTemplate(starters),
    ...Object.fromEntries(
      starters.flatMap(({ functionName, code, test }) => [
        [`functions/${functionName}.ts`, code],
        [`functions/${functionName}.test.ts`, test(runner)],
      ]),
    ),
  }
}

function manifest({ name, starters, runner, source, needsNode }: ProjectSettings) {
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
      ...(needsNode ? { node: '^24.0.0' } : {}),
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

/** Returns the line of a function in the configuration. */
export function functionLine(functionName: string, extension = '.ts'): string {
  const key = /^\w+$/.test(functionName) ? functionName : `'${functionName}'`
  return `    ${key}: { module: './functions/${functionName}${extension}', dialect: 'aws' },\n`
}

function config(starters: readonly Starter[]): string {
  const functions = starters.map(({ functionName }) => functionLine(functionName))
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

function versions(names: readonly string[], versionOf: (name: string) => string) {
  return sorted(Object.fromEntries(names.map(name => [name, versionOf(name)])))
}

function sorted(map: { readonly [name: string]: string }) {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
