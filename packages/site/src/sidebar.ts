import { apiFolders } from './api.ts'
import { addressOf } from './pages.ts'

/** An entry of the sidebar: its text, and its page as a path in the repository. */
type Entry = readonly [text: string, page: string]

/** The sections of the site, in order. `llms.txt` has the same sections. */
export const sections: { readonly [title: string]: readonly Entry[] } = {
  'Start here': [
    ['What it is', 'README.md'],
    ['When to use it', 'docs/when-to-use-it.md'],
    ['Quick start', 'docs/quick-start.md'],
    ['Compatibility', 'docs/compatibility.md'],
  ],
  Functions: [
    ['Core', 'packages/core/README.md'],
    ['Cognito user pool triggers', 'packages/user-pool/README.md'],
    ['SQS batches', 'packages/queue/README.md'],
    ['WorkMail message flow', 'packages/mail-flow/README.md'],
    ['Load balancer requests', 'packages/load-balancer/README.md'],
    ['Codecs', 'packages/codec/README.md'],
    ['Rules for ESLint', 'packages/eslint-plugin-signalbox/README.md'],
    ['On AWS Lambda', 'packages/aws/README.md'],
    ['Bundles', 'packages/bundler/README.md'],
    ['CommonJS', 'docs/commonjs.md'],
  ],
  'The platform': [
    ['The platform', 'packages/platform/README.md'],
    ['Functions', 'docs/platform/functions.md'],
    ['Durable functions', 'docs/platform/durable-functions.md'],
    ['Queues', 'docs/platform/queues.md'],
    ['Mail', 'docs/platform/mail.md'],
    ['User pools', 'docs/platform/user-pools.md'],
    ['Load balancers', 'docs/platform/load-balancer.md'],
    ['Templates', 'docs/platform/templates.md'],
    ['Other languages', 'docs/platform/languages.md'],
    ['The console', 'docs/console/README.md'],
    ['Tools for coding agents', 'docs/platform/agents.md'],
    ['Who may do what', 'docs/access.md'],
  ],
  Guides: [
    ['By task', 'docs/guides.md'],
    ['Deploy functions', 'docs/deploy-functions.md'],
    ['Test', 'docs/platform/testing.md'],
    ['Debug', 'docs/debugging.md'],
    ['Telemetry of functions', 'packages/telemetry/README.md'],
    ['Telemetry on Lambda', 'docs/telemetry-on-lambda.md'],
    ['Telemetry with Powertools', 'docs/telemetry-with-powertools.md'],
    ['Traces of the platform', 'docs/platform/traces.md'],
    ['Metrics of the platform', 'docs/platform/metrics.md'],
    ['Deploy a platform', 'docs/deploy/README.md'],
    ['Several machines', 'docs/deploy/postgresql.md'],
    ['TLS to PostgreSQL', 'docs/deploy/postgresql-tls.md'],
    ['The PostgreSQL package', 'packages/platform-postgres/README.md'],
    ['Mailboxes with Dovecot', 'docs/imap-with-dovecot.md'],
    ['Beside Postfix, as a milter', 'docs/milter.md'],
    ['Hooks', 'docs/hooks.md'],
    ['Scale', 'docs/scale.md'],
  ],
  'Move here': [
    ['From other tools', 'docs/moving.md'],
    ['With users and passwords', 'docs/platform/leaving-other-services.md'],
    ['From Cognito, without a reset', 'docs/platform/leaving-cognito.md'],
    ['From WorkMail', 'docs/moving-from-workmail.md'],
  ],
  Reference: [
    ['Options', 'docs/platform/configuration.md'],
    ['Commands', 'docs/platform/commands.md'],
    ['Errors', 'docs/errors.md'],
    ['Operations of user pools', 'docs/platform/user-pool-operations.md'],
    ['Checks of user pools', 'docs/user-pool-checks.md'],
    ['Contract: user pools', 'docs/contract/user-pool.md'],
    ['Contract: queues', 'docs/contract/queue.md'],
    ['Contract: mail flow', 'docs/contract/mail-flow.md'],
    ['Contract: load balancers', 'docs/contract/load-balancer.md'],
    ['Reading templates', 'packages/template/README.md'],
    ['The console’s package', 'packages/console/README.md'],
    ['The package signalbox', 'packages/signalbox/README.md'],
    ['The package create-signalbox', 'packages/create-signalbox/README.md'],
    ['Glossary', 'docs/glossary.md'],
  ],
  'The project': [
    ['Architecture', 'docs/architecture.md'],
    ['Decisions', 'docs/decisions/README.md'],
    ['Attacks that were tried', 'docs/attacks.md'],
    ['Benchmarks', 'benchmarks/RESULTS.md'],
    ['Mutation testing', 'docs/mutation-testing.md'],
    ['Security', 'SECURITY.md'],
    ['Contributing', 'CONTRIBUTING.md'],
  ],
}

/** The pages that are made from code, which `llms.txt` calls optional. */
export const generated: readonly (readonly [title: string, entries: readonly Entry[]])[] = [
  [
    'API',
    [...apiFolders()].map(([folder, { name }]) => [
      name,
      `packages/site/generated/api/${folder.replace('packages/', '')}.md`,
    ]),
  ],
  ['Changes', [['Changelog', 'packages/site/generated/changelog.md']]],
]

const all = [...Object.entries(sections), ...generated]

/** The pages in the sidebar, as paths in the repository. */
export const listed: ReadonlySet<string> = new Set(
  all.flatMap(([, entries]) => entries.map(([, page]) => page)),
)

/** The sidebar of every page, for VitePress. */
export const sidebar = all.map(([text, entries]) => ({
  text,
  items: entries.map(([text, page]) => ({ text, link: addressOf(page) })),
}))
