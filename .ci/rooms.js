/**
 * The order of the folders of each package's `src`. A folder imports only itself and the folders before it, for types
 * too. Tests, wherever they stand, may also import `testing` and the files beside the folders, such as the package's
 * entry points.
 */
export const rooms = {
  aws: [
    'translation', // AWS's names for the neutral ones
    'ses', // mail that SES receives
    'testing',
  ],
  bundler: [],
  codec: [
    'json', // JSON text, and what objects of JSON are
    'io-ts', // the interface of a codec
    'structure', // what a codec accepts, as data
    'problems', // finds the problems of a value
    'guard', // generates the code of guards
    'schemas', // schemas of other libraries
    'wire', // combinators without code of io-ts
    'ready', // codecs whose guards are written at build
    'decode', // what users call
    'json-schema', // each of these is an entry of its own
    'ahead',
    'testing',
  ],
  console: [
    'api', // what the web application asks for
    'server', // sessions, and who may read and act
    'testing',
    'web', // the application in the browser
  ],
  core: [
    'middleware',
    'signalbox',
    'store',
    'durable', // an entry of its own
    'testing',
  ],
  'eslint-plugin-signalbox': ['testing'],
  'load-balancer': [
    'contract', // the rows of the contract, for both sides
    'testing', // events for tests
    'response', // replies and errors, and what the balancer gets of them
    'request', // what a route reads
    'paths', // finds the route of a path
    'middleware',
    'routing', // routes and groups, and what they declare
    'balancer-identity', // each of these is an entry of its own
    'bearer',
    'client',
    'middy-router',
    'openapi',
    'static-files',
    'openapi-page',
    'protected-resource',
    'session',
  ],
  'mail-flow': [
    'contract', // the rows of the contract, for both sides
    'testing', // events for tests
    'mail', // the whole mail, parsed
    'response', // the builder of actions, its limits and its checks
    'decision', // runs the user's code, before the platform gives up
  ],
  platform: [
    'dialect',
    'storage', // the engines that a configuration can select
    'template', // templates of a provider as configurations
    'config', // the whole configuration, for editors
    'check', // checks an event from a file
    'command-line',
    'init', // makes a new project
    'watch', // starts again when a file changes
    'mcp', // tools for coding agents
    'commands',
    'testing',
  ],
  'platform-invoke': [
    'config',
    'store',
    'executions', // durable functions: their operations, and what continues them
    'api',
    'events',
    'console',
    'commands',
    'testing',
  ],
  'platform-load-balancer': [
    'config',
    'identity', // who sends a request: sign-in, sessions and tokens
    'api',
    'commands',
    'console',
    'testing',
  ],
  'platform-mail': [
    'config',
    'message', // what a mail says: headers, parts, traces, reports
    'store', // accepted mails, decisions and deliveries
    'api', // the SMTP server
    'mailboxes', // mails of the platform's own domains
    'relay', // hands mails to another server
    'flow', // gives mails to functions, and carries out what they decide
    'message-api', // functions read and change the mails that they decide on
    'filter', // decides on the mail of other mail servers, whatever their protocol
    'milter', // answers mail servers that speak the milter protocol
    'hooks', // answers mail servers that ask over HTTP
    'commands',
    'console', // what the console shows and does
    'testing',
  ],
  'platform-postgres': [
    'layout', // creates and changes tables
    'transfer',
    'work', // durable work queues
    'access', // each of these is a port of the platform or of a source
    'console',
    'executions',
    'invocation-log',
    'mail',
    'queue',
    'user-pool',
    'store',
    'testing',
  ],
  'platform-queue': [
    'filter', // patterns that choose messages
    'store', // what a queue store does, and the one in files
    'poller', // gives batches to functions
    'config',
    'wire', // names and errors of the queue API
    'remote', // queues of another service
    'api',
    'commands',
    'console', // what the console shows and does
    'testing',
  ],
  'platform-runtime': [
    'testing', // what tests of all packages use, and what knows nothing of the platform
    'fields', // the fields of a configuration, their rules and problems
    'traces', // spans of what the platform does
    'families', // what the platform knows about a family of events
    'signature', // requests that are signed with an access key
    'secrets', // encrypts what is stored
    'command-line', // options, help and output, without a platform
    'dialect', // events in a provider's names
    'metrics', // counts, and their text for Prometheus
    'listener', // addresses, limits of clients, requests
    'storage', // files, transactions, space, engines
    'work', // durable work queues, and the worker that does their work
    'invoker', // runs functions
    'invocation-log', // what functions were given, and answered
    'invocation', // gives an event to its function
    'access', // identities, keys and rights
    'console', // what the console may ask of a platform
    'control', // the documents at the control address
    'source', // what a source is, and what it gets
    'config', // reads the configuration of a program
    'platform', // starts and stops all parts
    'commands', // what commands of the platform and its sources get
  ],
  'platform-user-pool': [
    'store',
    'secrets',
    'srp', // the password protocol
    'hashes', // password hashes of other services
    'config',
    'users', // attributes, and who may read and write them
    'context', // what every flow gets
    'tokens',
    'agents', // clients that nobody has configured, and the consent of users
    'flows', // sign-up, sign-in, factors, messages, triggers
    'oidc', // the endpoints for browsers and other programs
    'federation', // identity providers
    'created-pools', // pools that were created through the API
    'pages', // the hosted pages
    'api', // the operations
    'commands',
    'console', // what the console shows and does
    'testing',
  ],
  queue: [
    'contract', // the rows of the contract, for both sides
    'testing', // events for tests
    'message', // what the user's code gets
    'response', // the failures of a batch
    'batch', // runs the user's code
  ],
  template: [
    'document', // YAML and JSON as data
    'intrinsics', // the functions of templates
    'resources', // what a template says, and what its resources are called here
    'terraform', // plans as such resources
    'config', // options of the platform
    'write', // configurations as templates
    'testing',
  ],
  telemetry: [
    'masking', // hides secrets in anything that is written down
    'trace', // spans, of an SDK or of our own
    'otlp', // sends spans
    'facts', // what spans say about each family of events
    'emf', // metrics for CloudWatch
    'log', // log lines
    'testing',
  ],
  'user-pool': [
    'contract', // the rows of the contract, for both sides
    'testing', // events for tests
    'event', // normalizes events
    'response', // checks and completes answers
    'messages', // texts for users
    'routing', // routes by trigger source
    'custom-auth', // decides about challenges
    'once',
  ],
}
