export default () => <p>The second route</p>
