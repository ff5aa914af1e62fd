import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { type Config, createPlatform } from '@signalbox/platform'
import { settingsOf } from '@signalbox/platform/testing/whole-program'
import { loadBalancersPart } from '@signalbox/platform-load-balancer/testing/parts'
import { sqsClient } from '@signalbox/platform-queue/testing/queue-engines'
import { loadConfig } from '@signalbox/platform-runtime/platform/testing/parts'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { parseAllDocuments } from 'yaml'

const folder = join(import.meta.dirname, '../../../docs/deploy')
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')

const { root, ...loaded } = await loadConfig(join(folder, 'app'))
const config = loaded.config as Config
const settings = settingsOf(config, root)
const web = settings.of(loadBalancersPart)![0]!
const service = textOf('signalbox.service')
const containerfile = textOf('Containerfile')

/** Returns the value of a setting in the systemd unit. */
const unit = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(service)?.[1]

interface Port {
  readonly name: string
  readonly containerPort: number
}

interface Manifest {
  readonly kind: string
  readonly spec: {
    readonly selector: { readonly matchLabels?: object }
    readonly ports: readonly { readonly targetPort: string }[]
    readonly minAvailable: number
    readonly replicas: number
    readonly template: {
      readonly metadata: { readonly labels: object }
      readonly spec: {
        readonly terminationGracePeriodSeconds: number
        readonly containers: readonly [
          {
            readonly ports: readonly Port[]
            readonly env: readonly { readonly name: string; readonly value: string }[]
            readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
            readonly [probe: `${string}Probe`]: {
              readonly httpGet: { readonly path: string; readonly port: string }
            }
          },
        ]
      }
    }
  }
}

const manifests = parseAllDocuments(textOf('kubernetes.yaml')).map(each => {
  expect([...each.errors, ...each.warnings]).toEqual([])
  return each.toJS() as Manifest
})
const specOf = (kind: string) => manifests.find(each => each.kind === kind)!.spec

describe('the files in docs/deploy', () => {
  it('contain a configuration and functions that can be loaded', async () => {
    const platform = createPlatform({ ...config, dataDir: ':memory:' }, { root, unauthenticated: 'refuse' })
    const { failure } = await platform.invoke('orders', { Records: [] })
    await platform.stop()
    expect(failure).toBeUndefined()
  })

  it('start the signalbox program as the process that receives the stop signal', () => {
    const manifest = fileURLToPath(import.meta.resolve('@signalbox/platform/package.json'))
    const program = JSON.parse(readFileSync(manifest, 'utf8')).bin.signalbox
    expect(existsSync(join(dirname(manifest), program))).toBe(true)
    const installed = join('node_modules/@signalbox/platform', program).replaceAll('\\', '/')
    expect(unit('ExecStart')).toBe(`/usr/bin/node ${installed} start`)
    expect(unit('KillMode')).toBe('mixed')
    expect(containerfile).toContain(`ENTRYPOINT ["node", "${installed}"]\nCMD ["start"]`)
  })

  it('copy only files that exist in a project', () => {
    const copied = [
      ...`${containerfile}\n${textOf('Containerfile.testing')}`.matchAll(/^COPY (.*) \S+$/gm),
    ].flatMap(([, names]) => names!.split(' '))
    // Only the lockfile is missing, because every user has a different one.
    const missing = copied.filter(name => !existsSync(join(folder, 'app', name)))
    expect(missing).toEqual(['package-lock.json'])
    expect(copied).toContain('functions')
  })

  it('allow more time for a shutdown than the platform needs with this configuration', () => {
    const seconds = (settings.drain + settings.grace) / 1000
    expect(Number(unit('TimeoutStopSec'))).toBeGreaterThan(seconds)
    expect(specOf('StatefulSet').template.spec.terminationGracePeriodSeconds).toBeGreaterThan(seconds)
  })

  it('set the environment variables that the configuration reads', () => {
    const source = textOf('app/signalbox.config.ts')
    const read = [...source.matchAll(/process\.env\.(\w+)/g)].map(([, name]) => name!).sort()
    expect(read).toEqual(['SIGNALBOX_DATA', 'SIGNALBOX_HOST'])
    expect(service).toMatch(/^Environment=SIGNALBOX_DATA=\/var\/lib\/signalbox$/m)
    expect(unit('StateDirectory')).toBe('signalbox')
    for (const name of read) expect(containerfile).toMatch(new RegExp(`^ENV .*${name}=`, 'm'))
    const [container] = specOf('StatefulSet').template.spec.containers
    expect(container.env.map(({ name }) => name).sort()).toEqual(read)
    const data = container.env.find(({ name }) => name === 'SIGNALBOX_DATA')!.value
    const volume = container.volumeMounts.find(({ name }) => name === 'data')!
    expect(data.startsWith(`${volume.mountPath}/`)).toBe(true)
  })

  it('probe the control address, and publish the port of the load balancer', () => {
    const [container] = specOf('StatefulSet').template.spec.containers
    const ports = new Map(container.ports.map(({ name, containerPort }) => [name, containerPort]))
    expect(containerfile).toContain(`EXPOSE ${web.port}`)
    const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const
    expect(probes.map(probe => container[probe]!.httpGet.path)).toEqual(['/readyz', '/readyz', '/livez'])
    for (const probe of probes) expect(ports.get(container[probe]!.httpGet.port)).toBe(settings.control!.port)
    expect(ports.get(specOf('Service').ports[0]!.targetPort)).toBe(web.port)
  })

  it('run a single replica whose labels match those of the disruption budget and the service', () => {
    const { replicas, selector, template } = specOf('StatefulSet')
    expect(replicas).toBe(1)
    expect(specOf('PodDisruptionBudget').minAvailable).toBe(1)
    for (const labels of [
      selector.matchLabels,
      specOf('PodDisruptionBudget').selector.matchLabels,
      specOf('Service').selector,
    ])
      expect(template.metadata.labels).toEqual(labels)
  })
})

it('the manifest for several replicas has the same probes and variables as the manifest for one replica', () => {
  const shared = parseAllDocuments(textOf('kubernetes-postgresql.yaml')).map(each => {
    expect([...each.errors, ...each.warnings]).toEqual([])
    return each.toJS() as Manifest
  })
  const { replicas, template, selector } = shared.find(({ kind }) => kind === 'Deployment')!.spec
  const [container] = template.spec.containers
  const [single] = specOf('StatefulSet').template.spec.containers
  expect(replicas).toBeGreaterThan(1)
  expect(container).toMatchObject({
    startupProbe: single.startupProbe!,
    readinessProbe: single.readinessProbe!,
    livenessProbe: single.livenessProbe!,
    ports: single.ports,
  })
  expect(container.env.map(({ name }) => name)).toEqual([
    ...single.env.map(({ name }) => name),
    'SIGNALBOX_POSTGRES_URL',
    'SIGNALBOX_USER_POOL_KEY',
    'SIGNALBOX_ACCESS_KEY',
  ])
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
    (settings.drain + settings.grace) / 1000,
  )
  for (const { spec } of shared)
    expect(spec.selector.matchLabels ?? spec.selector).toEqual(selector.matchLabels)
  // Load balancers must notice the shutdown before the listeners close.
  const { periodSeconds, failureThreshold } = container.readinessProbe as unknown as {
    readonly periodSeconds: number
    readonly failureThreshold: number
  }
  expect(settings.drain / 1000).toBeGreaterThan(periodSeconds * failureThreshold)
})

describe('the commands of the README', () => {
  /** Runs the commands of a section in a copy of the folder. Programs that change the machine are replaced. */
  const run = (section: string) => {
    using temporary = temporaryFolder()
    const copy = join(temporary.path, 'deploy')
    cpSync(folder, copy, { recursive: true })
    const [, rest = ''] = textOf('README.md').split(`\n## ${section}\n`)
    const [, commands = ''] = /^```sh\n([\s\S]*?)\n```$/m.exec(rest) ?? []
    mkdirSync(join(temporary.path, 'srv'))
    mkdirSync(join(temporary.path, 'etc/systemd/system'), { recursive: true })
    const script = `set -eu
      useradd() { :; }
      systemctl() { :; }
      journalctl() { :; }
      npm() { case $1 in ci) test -f package-lock.json ;; install) touch package-lock.json ;; esac; }
      docker() { if [ $1 = build ]; then test -f $3; for last; do :; done; test -f $last/package.json; fi; }
      ${commands.replace(/ \/(?=srv|etc)/g, ` ${temporary.path}/`)}`
    const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: copy, encoding: 'utf8' })
    const installed = ['srv/signalbox/signalbox.config.ts', 'etc/systemd/system/signalbox.service'].filter(
      path => existsSync(join(temporary.path, path)),
    )
    return { commands, status, stderr, installed }
  }

  it('install the project and the unit of systemd', () => {
    expect(run('systemd')).toMatchObject({
      commands: expect.stringContaining('npm ci'),
      status: 0,
      stderr: '',
      installed: ['srv/signalbox/signalbox.config.ts', 'etc/systemd/system/signalbox.service'],
    })
  })

  it('build the image from files that are in the folder', () => {
    expect(run('Container')).toMatchObject({
      commands: expect.stringContaining('docker build --file'),
      status: 0,
      stderr: '',
    })
  })
})

describe('backup.sh and restore.sh', () => {
  const run = (script: string, ...args: string[]) => {
    const { status, stderr } = spawnSync('sh', [join(folder, script), ...args], { encoding: 'utf8' })
    return { status, stderr }
  }
  const start = async (dataDir: string) => {
    const platform = createPlatform({
      functions: {},
      queues: { orders: {} },
      queueListener: { port: 0 },
      dataDir,
    })
    const [address] = await platform.start()
    const sqs = sqsClient(address!.url)
    return { platform, sqs, QueueUrl: `${address!.url}/000000000000/orders` }
  }

  it('copy the data of a stopped platform to another directory, and refuse a directory in use', async () => {
    using temporary = temporaryFolder()
    const [data, archive, restored] = ['data', 'backup.tar.gz', 'restored'].map(name =>
      join(temporary.path, name),
    )
    const before = await start(data!)
    await before.sqs.sendMessage({ QueueUrl: before.QueueUrl, MessageBody: 'kept' })
    expect(run('backup.sh', data!, archive!)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('in use'),
    })
    await before.platform.stop()
    expect(run('backup.sh', data!, archive!)).toEqual({ status: 0, stderr: '' })
    expect(run('restore.sh', archive!, restored!)).toEqual({ status: 0, stderr: '' })
    expect(run('restore.sh', archive!, restored!)).toMatchObject({ status: 1 })

    const after = await start(restored!)
    const { Messages } = await after.sqs.receiveMessage({ QueueUrl: after.QueueUrl })
    expect(Messages).toMatchObject([{ Body: 'kept' }])
    await after.platform.stop()
  })

  it('do not let a platform start after a restore that failed, nor archive what it left', async () => {
    using temporary = temporaryFolder()
    const [data, archive, restored] = ['data', 'backup.tar.gz', 'restored'].map(name =>
      join(temporary.path, name),
    )
    await (await start(data!)).platform.stop()
    expect(run('backup.sh', data!, archive!)).toEqual({ status: 0, stderr: '' })
    truncateSync(archive!, Math.floor(statSync(archive!).size / 2))
    expect(run('restore.sh', archive!, restored!).status).not.toBe(0)
    await expect(start(restored!)).rejects.toThrow(
      'holds only a part of the data, because `signalbox storage copy` or a restore was stopped',
    )
    const part = { status: 1, stderr: expect.stringContaining('holds only a part of the data') }
    expect(run('backup.sh', restored!, join(temporary.path, 'other.tar.gz'))).toEqual(part)
  })
})
