import type { Program } from '@babel/types'
import type MagicString from 'magic-string'

/**
 * The functions of Signalbox modules that nearly every handler runs when it is made or answers its first event. See
 * docs/decisions/bundles-and-publishing.md#functions-parsed-at-once.
 */
export const eagerFunctions: Readonly<Record<string, readonly string[]>> = {
  'codec/decoder': ['decoder', 'prepare'],
  'codec/io-ts/codec-of': ['codecOf'],
  'codec/io-ts/declared': ['declare'],
  'codec/io-ts/require-codec': ['requireCodec'],
  'codec/json/from-json': ['fromJson'],
  'codec/ready/ready-codec': ['readyCodec'],
  'core/middleware/contract-validator': ['contractValidator'],
  'core/middleware/named': ['namedMiddleware', 'named'],
  'core/middleware/normalizer': ['normalizer'],
  'core/middleware/receiver': ['receiver'],
  'core/not-an-answer': ['notAnAnswer', 'refusalAsAnswer'],
  'core/options': ['refuseUnknownOptions'],
  'core/signalbox/arguments': ['separate', 'isPlugin'],
  'core/signalbox/fast-execution-mode': ['fastExecutionMode'],
  'core/signalbox/serialize-early-responses': ['serializeEarlyResponses'],
  'core/signalbox/signalbox': ['signalbox', 'addHooks'],
  'load-balancer/load-balancer': ['loadBalancer'],
  'load-balancer/middleware/middlewares': ['responseSerializer'],
  'load-balancer/paths/path-pattern': ['parsePath', 'parseSegment'],
  'load-balancer/paths/path-shape': ['pathShape'],
  'load-balancer/paths/route-index': ['routeIndex', 'pathsOf'],
  'load-balancer/paths/static-routes': ['staticRoutes'],
  'load-balancer/response/error-map': ['checkErrorMap'],
  'load-balancer/routing/group': ['flatten'],
  'load-balancer/routing/route': ['adder'],
  'load-balancer/routing/route-input': ['inputCheck'],
  'load-balancer/routing/router': ['routerOf', 'readSettings', 'prepare'],
  'load-balancer/routing/serve-route': ['serveRoute', 'mappingErrors'],
  'load-balancer/routing/text-input': ['formsOf', 'textCheck'],
  'mail-flow/decision/decider': ['decider'],
  'mail-flow/mail-flow': ['mailFlow'],
  'mail-flow/response/check-options': ['checkOptions'],
  'mail-flow/response/serializer': ['serializer'],
  'queue/batch-options': ['checkBody', 'checkFunction'],
  'queue/batch/batch-processor': ['batchProcessor'],
  'queue/batch/batch-run': ['batchRun'],
  'queue/batch/examine-batch': ['examineBatch'],
  'queue/each-message': ['eachMessage'],
  'queue/message/read-message': ['messageReader'],
  'queue/on-message': ['queue'],
  'queue/queue-plugin': ['queuePlugin'],
  'queue/response/fifo': ['hasFifoName', 'isSequenced'],
  'queue/response/partial-failures': ['partialFailures'],
  'queue/response/record-states': ['responseOf'],
  'user-pool/response/serializer': ['serializer'],
  'user-pool/routing/trigger-router': ['routerOf', 'refuseNonTable', 'routesOf', 'refuseNonFunction'],
  'user-pool/user-pool': ['userPool'],
}

/**
 * Writes these functions of a module as arrow functions in parentheses, which V8 compiles when it parses the module.
 * They move to the top of the module, because only declarations can be used before they are defined.
 */
export function compileAtOnce(text: MagicString, { body }: Program, names: readonly string[]): void {
  const imports = body.findLastIndex(({ type }) => type === 'ImportDeclaration')
  const start = imports < 0 ? 0 : body[imports]!.end!
  for (const statement of body) {
    const made = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (made?.type !== 'FunctionDeclaration' || !names.includes(made.id!.name)) continue
    text.overwrite(made.start!, made.id!.end!, `const ${made.id!.name} = (`)
    text.appendLeft(made.body.start!, '=> ')
    text.appendLeft(made.end!, ');')
    text.appendRight(statement.start!, '\n')
    text.move(statement.start!, made.end!, start)
  }
}
