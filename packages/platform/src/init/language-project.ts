import { agentsPage, commonCommands } from './agents-page.ts'
import { oldestNode } from './needs-node.ts'
import { config, json, npmSettings, ownNode, versions } from './project-files.ts'
import type { LanguageProjectSettings } from './project-settings.ts'

/**
 * Returns the files of a new project in a language other than Node's: a configuration, a function for each family, and
 * the runtime client that calls them. npm brings the platform.
 */
export function languageProject(settings: LanguageProjectSettings): { readonly [path: string]: string } {
  const { name, starters, source, needsNode, language } = settings
  return {
    'package.json': json({
      name,
      version: '0.0.0',
      private: true,
      type: 'module',
      engines: { node: `>=${oldestNode.join('.')}` },
      scripts: { dev: language.dev },
      dependencies: versions(['@signalbox/platform', ...source.beside], source.versionOf),
      ...(needsNode && { devDependencies: ownNode, allowScripts: { node: true } }),
    }),
    ...npmSettings(source),
    '.gitignore': '.build/\n__pycache__/\nnode_modules/\n.signalbox/\n',
    'README.md': languageReadme(settings),
    'AGENTS.md': agentsPage({
      starters,
      fileOf: language.fileOf,
      commands: commonCommands,
      rules: [`The functions need ${language.needs}.`],
    }),
    'signalbox.config.ts': config(starters, language.keysOf),
    ...language.files,
    ...Object.fromEntries(
      starters.map(starter => [language.fileOf(starter.functionName), language.codeOf(starter)]),
    ),
  }
}

/** Returns the text of the README of a new project. */
function languageReadme({ name, starters, language }: LanguageProjectSettings): string {
  const functions = starters.map(
    ({ functionName, calledBy }) => `- \`${language.fileOf(functionName)}\` gets ${calledBy}.`,
  )
  return `# ${name}

Functions for AWS Lambda, on a platform of [Signalbox](https://www.npmjs.com/package/@signalbox/platform):

${functions.join('\n')}

They need ${language.needs}.

\`\`\`sh
npm install
npm run dev       # runs the functions on this machine, and starts them again when a file changes
\`\`\`

Try them while \`npm run dev\` runs:

\`\`\`sh
${starters.map(({ tries }) => tries).join('\n')}
npx signalbox log
\`\`\`

\`signalbox.config.ts\` says which function each source calls, and how each one runs. If a port is taken, the error says
by what, and which key changes it.

${language.remarks}

[Functions in any language](https://github.com/signalbox/signalbox/blob/main/docs/platform/languages.md) says what else
there is.
`
}
