import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ownLoop, type RuntimeClient } from './own-loop.ts'

const run = promisify(execFile)
const client = fileURLToPath(import.meta.resolve('aws-lambda-ric'))
const folder = dirname(client)
const modules = dirname(folder)
const addon = join(folder, 'rapid-client.node')

/**
 * Returns the original AWS runtime client. Installing the package does not build its native part, which only these
 * tests need. This function therefore builds it once. The build needs Linux, tar, xz, and gcc for C and C++. On a machine
 * without them, this function returns a minimal client.
 */
export async function runtimeClient(): Promise<RuntimeClient> {
  if (process.platform !== 'linux') return ownLoop
  try {
    if (!existsSync(addon)) await build()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ownLoop
    throw error
  }
  return { name: 'aws-lambda-ric', file: client }
}

/** Replaces the file that CMake writes. */
const version = 'namespace aws::lambda_runtime { char const* get_version() { return "0.2.6"; } }'

/**
 * Compiles the sources of the package. Its own scripts take fifteen times as long: they test what the machine has, build
 * parts of libcurl that the client does not use, and optimize.
 */
async function build(): Promise<void> {
  const cache = await mkdtemp(join(modules, '.aws-lambda-ric-'))
  const [curl, runtime] = [join(cache, 'curl'), join(cache, 'aws-lambda-cpp')]
  const compile = (compiler: string, ...options: readonly string[]) =>
    run(compiler, ['-w', '-fPIC', `-I${curl}/include`, `-I${runtime}/include`, ...options], { cwd: cache })
  try {
    for (const source of [curl, runtime]) {
      await mkdir(source)
      const archive = join(folder, 'deps', `${source.slice(cache.length + 1)}.tar.xz`)
      await run('tar', ['xJf', archive, '--no-same-owner', '-C', source], { maxBuffer: 2 ** 28 })
    }
    await writeFile(join(cache, 'curl.c'), wholeCurl(curl))
    await writeFile(join(cache, 'version.cpp'), version)
    await compile('gcc', '-c', 'curl.c', '-DHAVE_CONFIG_H', `-I${import.meta.dirname}`, `-I${curl}/lib`)
    await compile(
      'g++',
      '-std=c++20',
      '-shared',
      ...['-DNAPI_CPP_EXCEPTIONS', '-DNODE_GYP_MODULE_NAME=rapid_client'],
      ...['node', 'node/node_modules/node'].map(
        path => `-I${modules}/${path}-linux-${process.arch}/include/node`,
      ),
      `-I${modules}/node-addon-api`,
      ...[join(folder, 'src/native/rapid-client.cc'), 'version.cpp', 'curl.o'],
      ...['runtime', 'logging'].map(name => join(runtime, `src/${name}.cpp`)),
      ...['-pthread', '-o', 'rapid-client.node'],
    )
    // An interrupted build leaves no incomplete result.
    await rename(join(cache, 'rapid-client.node'), addon)
  } finally {
    await rm(cache, { recursive: true, force: true })
  }
}

/** Returns a program with all files of libcurl, so that the compiler reads each header once. */
function wholeCurl(folder: string): string {
  const files = globSync('lib/{,vauth/,vtls/}*.c', { cwd: folder }).filter(path => path !== 'lib/version.c')
  // The last file names a variable like a function of another file.
  const version = ['#define protocols protocols_of_version', include('lib/version.c')]
  return [...files.map(include), ...version].join('\n')
  function include(path: string): string {
    return `#include "${join(folder, path)}"`
  }
}
