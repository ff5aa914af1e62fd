import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { configNames, defineCommand, UsageError } from '@signalbox/platform-runtime/command-line'
import { configText } from '../template/config-text.ts'
import { templateOptions, warningLines } from '../template/template-options.ts'

/** Writes a configuration from a template. */
export const importTemplate = defineCommand({
  name: 'import',
  summary: 'Write a configuration from a template of SAM, CloudFormation, CDK or Terraform',
  usage: 'FILE [--parameter NAME=VALUE]… [--stack NAME]',
  details: `Writes ${configNames[0]} beside the template, or beside the folder cdk.out, once: later changes of the template are not
in it. To run a template as it is, use dev or start with --template. Prints what the template has beyond the configuration.
Code in the template itself goes to the folder inline, and functions in Python get the file that calls them, which is yours.
The values of parameters become part of the configuration, secrets included.`,
  examples: [
    ['signalbox import template.yaml', `writes ${configNames[0]}`],
    ['signalbox import cdk.out --stack Orders', 'writes one of several stacks'],
    ['signalbox import plan.json', 'writes what `terraform show -json` says of a plan'],
  ],
  options: { parameter: templateOptions.parameter, stack: templateOptions.stack },
  async run({ parameter = [], stack }, [path, ...rest], terminal) {
    if (path === undefined || rest.length > 0) throw new UsageError('import takes one file.')
    const { loadTemplate, pythonClient, templateRoot } = await import('../template/load-template.ts')
    const root = templateRoot(terminal.cwd, path, stack)
    const existing = configNames.find(name => existsSync(join(root, name)))
    if (existing !== undefined)
      throw new Error(
        `${relative(terminal.cwd, join(root, existing))} is there already. Rename or remove it first.`,
      )
    const { config, file, ...found } = await loadTemplate(terminal.cwd, {
      path,
      parameters: parameter,
      stack,
      inlineFolder: 'inline',
      pythonClient(folder) {
        const copy = join(folder, 'signalbox_runtime.py')
        copyFileSync(pythonClient, copy)
        return copy
      },
    })
    const written = join(root, configNames[0]!)
    writeFileSync(written, configText(config, basename(file)))
    for (const { text } of warningLines(found)) terminal.print(text)
    terminal.print(`Wrote ${relative(terminal.cwd, written)}.`)
    return 0
  },
})
