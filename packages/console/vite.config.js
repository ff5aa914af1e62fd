import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defaultClientConditions, defineConfig } from 'vite'

/** Builds the web application into `dist/web`. Its files load nothing from other origins. */
export default defineConfig({
  root: 'src/web',
  base: '/console/',
  resolve: { conditions: ['@signalbox/source', ...defaultClientConditions] },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: false,
    // The policy of the page forbids `data:` URLs for scripts and styles.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  plugins: [compressedFiles()],
})

/** Writes a compressed copy beside each text file, so that the server does not have to compress files. */
function compressedFiles() {
  return {
    name: 'compressed-files',
    writeBundle({ dir }) {
      for (const file of readdirSync(dir, { recursive: true })) {
        if (!/\.(?:js|css|svg|html)$/.test(file)) continue
        const bytes = readFileSync(join(dir, file))
        writeFileSync(join(dir, `${file}.gz`), gzipSync(bytes, { level: 9 }))
        writeFileSync(join(dir, `${file}.br`), brotliCompressSync(bytes))
      }
    },
  }
}
