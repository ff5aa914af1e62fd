import { withBase } from 'vitepress'
import theme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import './site.css'

/** What stands where there is no page. The one of the theme has no landmark, and another name than its link shows. */
const notFound = () =>
  h('main', { class: 'vp-doc not-found' }, [
    h('h1', 'There is no such page'),
    h('p', [
      'It may have moved. Search for its name, or begin at the ',
      h('a', { href: withBase('/') }, 'first page'),
      '.',
    ]),
  ])

export default { ...theme, Layout: () => h(theme.Layout, null, { 'not-found': notFound }) }
