import { type Clock, InvalidOptionError, refuseUnknownOptions, systemClock } from '@signalbox/core/base'
import { settingsOf } from '../config/read-settings.ts'
import { controlFields, type RuntimeConfig } from '../config/runtime-config.ts'
import type { Console, ConsoleContext } from '../console/console.ts'
import { memorySessionTable } from '../console/memory-session-table.ts'
import { sessionStorage } from '../console/session-storage.ts'
import { type ControlOptions, control } from '../control/control.ts'
import { functionTokens } from '../control/function-tokens.ts'
import { metricsApi } from '../control/metrics-api.ts'
import type { TestInterface } from '../control/test-interface.ts'
import { platformFamilies } from '../families/platform-families.ts'
import { InvalidConfigError } from '../fields/config-error.ts'
import { dispatcher } from '../invocation/dispatch.ts'
import type { ExecutionStart } from '../invocation/executions.ts'
import { inFlight } from '../invocation/in-flight.ts'
import type { Invocation } from '../invocation/invocation.ts'
import { type InvocationLogOptions, invocationLogStorage } from '../invocation-log/invocation-log.ts'
import { lateInvocationLog } from '../invocation-log/late-invocation-log.ts'
import { invocationLogDatabase, localInvocationLog } from '../invocation-log/sqlite/local-invocation-log.ts'
import type { FunctionSettings } from '../invoker/function-settings.ts'
import type { Call } from '../invoker/invoker.ts'
import type { Address } from '../listener/address.ts'
import { defaultHost, listenerNotices, unauthenticatedProblems } from '../listener/listener-addresses.ts'
import { meter as newMeter } from '../metrics/meter.ts'
import { processMetrics } from '../metrics/process-metrics.ts'
import { systemRandom } from '../random.ts'
import type { Program, Services } from '../source/source-module.ts'
import { dataDirectory } from '../storage/data-directory.ts'
import { openOnce } from '../storage/open-once.ts'
import { openTraces } from '../traces/traces.ts'
import { unknownName } from '../unknown-name.ts'
import { calleeOf } from './callee-of.ts'
import { functionCheck } from './function-check.ts'
import { inspectedFunctions } from './inspected-functions.ts'
import { openAccess } from './open-access.ts'
import { invocationCounts, storageTimes } from './platform-metrics.ts'
import type { PlatformOptions, RuntimePlatform } from './runtime-platform.ts'
import { servedFamilies } from './served-families.ts'
import { unencryptedNotices } from './unencrypted-functions.ts'

const optionNames = [
  'root',
  'clock',
  'machineClock',
  'random',
  'onInvocation',
  'onOutput',
  'onColdStart',
  'onNotice',
  'unloadable',
  'unauthenticated',
  'console',
  'inspect',
] as const satisfies readonly (keyof PlatformOptions)[]

/**
 * Makes a platform from these sources, without starting it. Each source adds properties to the platform for use in
 * programs.
 * @param where the name of the configuration in errors
 * @throws InvalidConfigError with everything that is wrong with the configuration, and InvalidOptionError
 */
export function makePlatform(
  program: Program,
  config: RuntimeConfig,
  options: PlatformOptions = {},
  where?: string,
): RuntimePlatform {
  refuseUnknownOptions('createPlatform()', options, optionNames)
  const { root = process.cwd(), clock = systemClock, random = systemRandom } = options
  const { machineClock = clock } = options
  const { onInvocation, onOutput, onNotice: notice = () => {} } = options
  const { unloadable: whenUnloadable, unauthenticated } = options
  for (const [name, value] of Object.entries({ unloadable: whenUnloadable, unauthenticated }))
    if (value !== undefined && value !== 'refuse' && value !== 'notice')
      throw new InvalidOptionError(`createPlatform() takes 'refuse' or 'notice' as ${name}.`)
  const settings = settingsOf(program, config, root, where)
  if (settings.storage !== undefined && machineClock !== clock)
    throw new InvalidOptionError(
      'createPlatform() takes no machineClock with storage: the clock of the database decides what is due.',
    )
  if (unauthenticated === 'refuse' && settings.unauthenticated.length > 0)
    throw new InvalidConfigError(
      where ?? 'The configuration',
      unauthenticatedProblems(settings.unauthenticated),
      'is not safe to start',
    )
  const inspected = inspectedFunctions(options.inspect, settings.functions)
  const traces = openTraces(process.env, { clock: machineClock, random, notice })
  const meter = newMeter()
  const observe = storageTimes(meter)
  const directory = dataDirectory(settings.dataDir, observe)
  const engine = settings.storage && openOnce(settings.storage, { clock: options.clock, notice, observe })
  const logOptions: InvocationLogOptions = {
    limits: settings.invocationLog,
    clock: machineClock,
    onWritten: onInvocation,
    notice,
  }
  const invocationLog =
    engine === undefined
      ? localInvocationLog(directory.open(invocationLogDatabase), logOptions)
      : lateInvocationLog(async options => (await engine()).opener(invocationLogStorage)(options), logOptions)
  /** Environment variables of the instances. */
  const environment: Record<string, string> = {}
  const tokens = functionTokens(random)
  const services: Services = {}
  const callees = new Map(
    settings.functions.map(each => [
      each.name,
      {
        ...calleeOf(withToken(each), settings, {
          inspect: inspected.has(each.name),
          platformEnv: environment,
          clock: machineClock,
          notice,
          onColdStart: options.onColdStart,
        }),
        // A durable function has a source that runs its executions: the configuration is refused otherwise.
        execute:
          each.durable &&
          ((call: Call, start?: ExecutionStart) =>
            start === undefined
              ? services.executions!.run(each.name, call)
              : services.executions!.start(each.name, call, start)),
      },
    ]),
  )
  const active = inFlight()
  const countInvocation = invocationCounts(
    meter,
    settings.functions.map(({ name }) => name),
  )
  const record: typeof invocationLog.append = entry => {
    countInvocation(entry)
    onOutput?.(entry.requestId, entry.logs)
    invocationLog.append(entry)
  }
  const dispatch = dispatcher(callees, record, machineClock, random, active, traces)
  const guard = openAccess(settings, directory, engine, { clock: machineClock, random, notice })
  const access = guard?.access
  const dialectOf = (name: string) => callees.get(name)?.dialect
  const context = {
    dispatch,
    dialectOf,
    clock,
    machineClock,
    random,
    notice,
    directory,
    engine,
    environment,
    services,
    access,
    traces,
    meter,
  }
  const opened = program.modules.map(module => module.open(settings.of(module.config), context))
  Object.assign(services, ...opened.map(each => each.services))
  const sources = opened.flatMap(each => each.sources)
  const routes = opened.flatMap(each => each.control ?? [])
  const metrics = async () => [
    ...processMetrics(),
    ...meter.metrics(),
    ...(await Promise.all(opened.map(each => each.metrics?.() ?? []))).flat(),
  ]
  const allApis = [metricsApi(metrics, notice), ...opened.flatMap(each => each.apis ?? [])]
  // Nobody has decided who may use an address that is there for the console only.
  const apis = settings.control === undefined ? [] : allApis
  const wantsConsole = options.console ?? settings.control?.console ?? false
  const hasConsole = wantsConsole && program.console !== undefined
  const controlOptions: Omit<ControlOptions, 'clock' | 'console'> | undefined =
    settings.control ??
    (hasConsole ? { host: defaultHost, port: controlFields.port.default, takesOtherPort: true } : undefined)
  let webConsole: Console | undefined
  let consoleIsOpen: Promise<void> | undefined
  let tests: TestInterface | undefined
  let reloads = 0
  let unready: string | undefined = 'The platform is starting.'
  const check = functionCheck(
    settings.functions.flatMap(({ name, code }) =>
      'module' in code || 'command' in code ? [{ name, code, invoker: callees.get(name)!.invoker }] : [],
    ),
    whenUnloadable === 'notice' ? notice : () => {},
  )
  const controlListener =
    controlOptions &&
    control(
      {
        ...controlOptions,
        clock: machineClock,
        notice,
        access,
        tokens,
        unready: () => unready ?? (check.unloadable().size > 0 ? 'A function cannot be loaded.' : undefined),
        tests: settings.control?.testing === true ? () => tests : undefined,
        apis,
        meter,
        console: hasConsole ? () => webConsole : undefined,
      },
      routes,
    )
  let isStarted = false
  let stopping: Promise<void> | undefined
  let endWatch = () => {}

  return Object.assign({}, ...opened.map(({ access }) => access), {
    settings,
    invocationLog,

    async start() {
      if (isStarted || stopping !== undefined)
        throw new Error(
          'A platform starts only once, and not after stop(). Make another one with createPlatform().',
        )
      isStarted = true
      try {
        directory.lock()
        endWatch = directory.watchDisk(machineClock, notice)
        for (const text of unencryptedNotices(settings.functions)) notice(text)
        const warned = unauthenticated === 'notice' ? settings.unauthenticated : []
        for (const text of listenerNotices(warned, settings.needlesslyOpen)) notice(text)
        await guard?.start()
        if (settings.control?.testing === true) await openTests()
        const first = controlListener === undefined ? [] : [await controlListener.start()]
        if (controlListener !== undefined) announceControl(controlListener.url())
        const inspectors = await startInspectors()
        const isChecked = whenUnloadable !== undefined
        // Instances load the functions while this process loads its own code. No client of a source waits for the console.
        if (hasConsole) consoleIsOpen = openWebConsole()
        consoleIsOpen?.catch(() => {})
        await Promise.all([
          isChecked && check.run(),
          ...(isChecked ? sources.map(source => source.load?.()) : []),
        ])
        if (whenUnloadable === 'refuse' && check.unloadable().size > 0)
          throw new Error([...check.unloadable().values()].join('\n'))
        const variables = Object.keys(environment).length
        const started = await Promise.allSettled(sources.map(source => source.start()))
        if (Object.keys(environment).length > variables) restartInstances()
        const failed = started.find(result => result.status === 'rejected')
        if (failed !== undefined) throw failed.reason
        const addresses = started.map(result => (result as PromiseFulfilledResult<Address>).value)
        await consoleIsOpen
        await (await engine?.())?.announce?.(addresses)
        if (stopping === undefined) unready = undefined
        return [...addresses, ...(settings.control === undefined ? [] : first), ...inspectors]
      } catch (error) {
        await this.stop()
        throw error
      }
    },

    stop() {
      stopping ??= (async () => {
        check.stop()
        const isRunning = unready === undefined
        unready = 'The platform is stopping.'
        // Load balancers in front of the platform notice the stop a moment later. Until then their requests
        // are served.
        if (isRunning && settings.drain > 0)
          await new Promise<void>(resolve => {
            machineClock.after(settings.drain, resolve)
          })
        const ended = Promise.all(sources.map(source => source.stop(settings.grace)))
        // Invocations that no source waits for have the same grace period, which has already begun.
        await Promise.all([
          ended,
          within(
            settings.grace,
            ended.then(() => active.settled()),
            machineClock,
          ),
        ])
        await Promise.all([...callees.values()].map(({ invoker }) => invoker.stop()))
        await active.settled()
        await traces?.close()
        await consoleIsOpen?.catch(() => {})
        webConsole?.close()
        await controlListener?.stop(0)
        await invocationLog.close()
        await guard?.stop()
        await engine?.close()
        endWatch()
        directory.release()
      })()
      return stopping
    },

    invoke,

    reload() {
      reloads++
      for (const { invoker } of callees.values()) invoker.reload()
      if (whenUnloadable === 'notice') void check.run()
    },

    async consoleLink() {
      const url = controlListener?.url()
      if (webConsole === undefined || !url)
        throw new Error(
          'The platform does not run with its console. Set console in control, or give createPlatform the option console.',
        )
      return webConsole.link(settings.control?.origin ?? url)
    },
  } satisfies RuntimePlatform)

  async function openTests(): Promise<void> {
    const { testInterface } = await import('../control/test-interface.ts')
    const { clockTests } = await import('./clock-tests.ts')
    const { invocationTests } = await import('./invocation-tests.ts')
    const names = settings.functions.map(({ name }) => name)
    const parts = [
      clockTests(clock, active),
      ...(await Promise.all(opened.flatMap(each => each.tests?.() ?? []))),
      invocationTests(invocationLog, names, machineClock),
    ]
    const settled = () => within(settleLimit, active.settled(), machineClock)
    tests = testInterface(parts, settled)
    notice('The test interface is on. Its clients see codes and messages, and can delete all data.')
  }

  async function startInspectors(): Promise<readonly Address[]> {
    const addresses: Address[] = []
    for (const [name, { invoker }] of callees)
      if (invoker.inspector !== undefined)
        addresses.push({ source: `inspector ${name}`, url: await invoker.inspector.start() })
    return addresses
  }

  async function invoke(
    functionName: string,
    event: unknown,
    { source = 'invoke' }: { readonly source?: string } = {},
  ): Promise<Invocation> {
    if (!callees.has(functionName))
      throw new InvalidOptionError(unknownName('function', functionName, [...callees.keys()]))
    const families = await platformFamilies(program.modules)
    const family = families.of(event)
    const { verdict, ...invoked } = await dispatch({
      functionName,
      event,
      // An event of a test that cannot be written as JSON is an error of the test.
      text: JSON.stringify(event) ?? 'null',
      family: family?.name,
      source,
      timeLimit: family?.timeLimit,
      verdict: payload => families.verdict(payload, event),
      describe: conclusion => conclusion,
    })
    return { ...invoked, verdict: verdict }
  }

  async function openWebConsole(): Promise<void> {
    const open = await program.console!()
    webConsole = open(await consoleContext())
  }

  async function consoleContext(): Promise<ConsoleContext> {
    const familiesOf = await servedFamilies(program.modules, opened)
    return {
      invocationLog,
      functions: settings.functions.map(({ name, timeout, memory, instances, dialect }) => ({
        ...{ name, timeout, memory, dialect, most: instances, families: familiesOf(name) },
        instances: () => callees.get(name)!.invoker.instances(),
        started: () => callees.get(name)!.invoker.started?.() ?? 0,
      })),
      sessions:
        engine === undefined
          ? memorySessionTable(machineClock)
          : await (await engine()).opener(sessionStorage)(),
      parts: await Promise.all(opened.flatMap(each => each.console?.() ?? [])),
      families: () => platformFamilies(program.modules),
      invoke,
      watch: invocationLog.watch,
      reloads: () => reloads,
      clock: machineClock,
      random,
      notice,
      access,
      origin: settings.control?.origin,
      platforms: engine && (async () => (await (await engine()).platforms?.()) ?? []),
    }
  }

  /** Adds the token with which a function fetches documents when the platform is configured with `access`. */
  function withToken(each: FunctionSettings): FunctionSettings {
    if (settings.access === undefined || settings.control === undefined) return each
    return { ...each, env: { SIGNALBOX_CONTROL_TOKEN: tokens.of(each.name), ...each.env } }
  }

  // This is called before the sources start, because functions use the address from their first event on.
  function announceControl(url: string): void {
    environment.SIGNALBOX_CONTROL = url
    for (const { endpointVariable } of apis)
      if (endpointVariable !== undefined) environment[endpointVariable] = url
    directory.announce({ control: url })
    restartInstances()
  }

  /** Replaces the instances that started before the platform knew all their environment variables. */
  function restartInstances(): void {
    for (const { invoker } of callees.values()) if (invoker.instances() > 0) invoker.reload()
  }
}

/** Milliseconds for which a reset waits for running invocations. */
const settleLimit = 10_000

/** Resolves when `settled` is settled, or after `ms` milliseconds. */
function within(ms: number, settled: Promise<void>, clock: Clock): Promise<void> {
  return new Promise(resolve => {
    const cancel = clock.after(ms, resolve)
    const end = () => {
      cancel()
      resolve()
    }
    void settled.then(end, end)
  })
}
