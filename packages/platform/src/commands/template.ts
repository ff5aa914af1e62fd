import { configOption, defineCommand, UsageError } from '@signalbox/platform-runtime/command-line'

/** Prints a configuration as a template. */
export const template = defineCommand({
  name: 'template',
  summary: 'Print a configuration as a template of SAM, CDK or Terraform',
  usage: 'sam|cdk|terraform [--config FILE]',
  details: `Prints what a configuration would be in the cloud: a template of SAM, a program of CDK in TypeScript, or one of Terraform in
JSON. What the configuration has beyond is in it as comments.
Subnets, certificates and the secrets of identity providers become parameters.`,
  examples: [
    ['signalbox template sam > template.yaml', 'for sam build && sam deploy --guided'],
    ['signalbox template cdk > app.ts', 'for cdk deploy'],
    ['signalbox template terraform > main.tf.json', 'for terraform apply'],
  ],
  options: { config: configOption },
  async run({ config }, [kind, ...rest], terminal) {
    const { templateKinds, writeTemplate } = await import('@signalbox/template')
    const known = templateKinds.find(each => each === kind)
    if (known === undefined || rest.length > 0)
      throw new UsageError(`template takes one of ${templateKinds.join(', ')}.`)
    const project = await terminal.project(config)
    terminal.print(writeTemplate(known, project.config).trimEnd())
    return 0
  },
})
