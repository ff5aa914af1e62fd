import { join, relative } from 'node:path'
import { defineConfig, type MarkdownEnv, type MarkdownRenderer } from 'vitepress'
import { withBreaks, withWholeOptions } from '../src/break-opportunities.ts'
import { writeGeneratedPages } from '../src/generated.ts'
import { writeTextsForAgents } from '../src/llms.ts'
import {
  anchorOf,
  darkPictureOf,
  isPage,
  leftOut,
  linkOf,
  pictureOf,
  placeOf,
  repository,
  sizeOf,
} from '../src/pages.ts'
import { listed, sidebar } from '../src/sidebar.ts'
import { stackTables } from '../src/stacked-tables.ts'

/** Renders a page for the index of the search, which needs no colours of code: they take a third of a build. */
function textOf(source: string, env: MarkdownEnv, md: MarkdownRenderer): string {
  const { highlight } = md.options
  md.options.highlight = null
  try {
    return md.render(source, env)
  } finally {
    md.options.highlight = highlight
  }
}

writeGeneratedPages()

export default defineConfig({
  title: 'Signalbox',
  description:
    'A TypeScript framework for AWS Lambda functions behind Cognito, SQS, WorkMail and load balancers, and a platform that runs them on one machine',
  lang: 'en',
  base: process.env.SITE_BASE ?? '/',
  srcDir: repository,
  srcExclude: leftOut,
  outDir: join(import.meta.dirname, '../dist'),
  cacheDir: join(import.meta.dirname, '../.cache'),
  rewrites: placeOf,
  cleanUrls: true,
  metaChunk: true,
  // A reader who opens one page pays for one page.
  router: { prefetchLinks: false },
  // site.check.test.ts checks every link and anchor of what was built.
  ignoreDeadLinks: true,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: anchorOf },
    // Text in braces is text. Only pages that are made from code give their headings ids, in `{:#id}`.
    attrs: { leftDelimiter: '{:', rightDelimiter: '}' },
    config(md) {
      // The name of a resource such as arn:cloud:balancer has no picture of a cloud in it.
      md.disable('emoji')
      md.linkify.set({ fuzzyEmail: false })
      const { text, code_inline: code } = md.renderer.rules
      md.renderer.rules.text = (...parts) => withBreaks(text!(...parts))
      md.renderer.rules.code_inline = (...parts) =>
        code!(...parts).replace(/(?<=>)[^<]+/, content => withWholeOptions(withBreaks(content)))
      const { image } = md.renderer.rules
      md.renderer.rules.image = (tokens, index, options, env, self) => {
        const token = tokens[index]!
        const { from, dark } = token.meta ?? {}
        const show = (theme: string, src: string) => {
          const { width, height } = sizeOf(from, src)
          token.attrSet('width', `${width}`)
          token.attrSet('height', `${height}`)
          token.attrSet('src', src)
          token.attrSet('loading', 'lazy')
          token.attrSet('class', `of-${theme}`)
          return image!(tokens, index, options, env, self)
        }
        const light = token.attrGet('src') ?? ''
        if (dark === undefined) return image!(tokens, index, options, env, self)
        return show('light', light) + show('dark', dark)
      }
      // The theme's own rule leaves out attributes.
      md.renderer.rules.table_open = (tokens, index, _options, _env, self) =>
        `<table tabindex="0"${self.renderAttrs(tokens[index]!)}>\n`
      md.core.ruler.push('links', ({ tokens, env }) => {
        const from = relative(repository, env.realPath ?? env.path)
        stackTables(tokens)
        // A header cell without text is an ordinary cell: screen readers would announce an empty header.
        for (const [index, token] of tokens.entries()) {
          const [text, end] = tokens.slice(index + 1, index + 3)
          if (token.type !== 'th_open' || text?.content !== '' || end === undefined) continue
          token.tag = 'td'
          end.tag = 'td'
        }
        // VitePress puts the source of a heading, with its Markdown, into the name of its link.
        for (const [index, { type }] of tokens.entries()) {
          const parts = tokens[index + 1]?.children ?? []
          if (type !== 'heading_open') continue
          const text = parts
            .filter(each => ['text', 'code_inline'].includes(each.type))
            .map(each => each.content)
          const anchor = parts.find(each => each.attrGet('class') === 'header-anchor')
          anchor?.attrSet('aria-label', `Permalink to “${text.join('').trim()}”`)
        }
        for (const token of tokens.flatMap(each => each.children ?? [])) {
          if (token.type === 'link_open') {
            token.attrSet('href', linkOf(from, token.attrGet('href') ?? '', isPage))
          } else if (token.type === 'code_inline' && /^\S{1,20}$/.test(token.content)) {
            // site.css keeps a short name such as `--add` in one line.
            token.attrJoin('class', 'short')
          } else if (token.type === 'image') {
            token.attrSet('src', pictureOf(from, token.attrGet('src') ?? ''))
            token.meta = { from, dark: darkPictureOf(from, token.attrGet('src') ?? '') }
          }
        }
      })
    },
  },
  transformPageData({ filePath, frontmatter }) {
    // VitePress would call the first page of the sidebar the next one.
    if (!listed.has(filePath)) Object.assign(frontmatter, { prev: false, next: false })
  },
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: { _render: textOf } },
    socialLinks: [{ icon: 'github', link: 'https://github.com/signalbox/signalbox' }],
  },
  buildEnd: site => writeTextsForAgents(site.outDir),
})
