import theme from 'vitepress/theme-without-fonts'
import Layout from './site-layout.vue'
import './site.css'

export default { ...theme, Layout }
