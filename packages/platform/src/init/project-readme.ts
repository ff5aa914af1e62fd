import type { NodeProjectSettings } from './project-settings.ts'

/** Returns the text of a new project's README. */
export function projectReadme({ name, starters }: Pick<NodeProjectSettings, 'name' | 'starters'>): string {
  const functions = starters.map(
    ({ functionName, calledBy }) => `- \`functions/${functionName}.ts\` gets ${calledBy}.`,
  )
  const families = starters.map(
    ({ family }) => `[${family}](https://www.npmjs.com/package/@signalbox/${family})`,
  )
  const byHand = starters.flatMap(({ deploy }) => deploy ?? [])
  return `# ${name}

Functions for AWS Lambda, written with [Signalbox](https://www.npmjs.com/package/@signalbox/platform):

${functions.join('\n')}

\`\`\`sh
npm install
npm test          # runs the tests
npm run types     # checks the types
npm run dev       # runs the functions on this machine, and reloads them when a file changes
\`\`\`

Try them while \`npm run dev\` runs:

\`\`\`sh
${starters.map(({ tries }) => tries).join('\n')}
npx signalbox log
\`\`\`

\`signalbox.config.ts\` says which function each source calls. If a port is taken, the error says by what, and which key
changes it.

Imports have the extension \`.ts\`, and types are imported with \`import type\`: Node runs the TypeScript without a build.

## Deploy

\`npm run build\` runs \`build.ts\`, which bundles each function and prints the sizes, and \`template.yaml\` describes them for the [AWS SAM
command line](https://docs.aws.amazon.com/serverless-application-model/):

\`\`\`sh
npm run build
sam deploy --guided
\`\`\`

The build uses the plugin [bundler](https://www.npmjs.com/package/@signalbox/bundler) with its option \`production\`, so
that functions start sooner. The plugin compiles codecs, and its page says which; of any other codec, the build warns. Give
a new function a line in \`build.ts\`, too.
${byHand.map(text => `\n${text}\n`).join('')}
## Read on

The pages of the families: ${families.join(', ')}. [aws](https://www.npmjs.com/package/@signalbox/aws) describes what
else AWS needs, and [platform](https://www.npmjs.com/package/@signalbox/platform) what \`signalbox\` can do.
`
}
