const sums = new Int32Array(16 << 20).fill(1);
const rows = Array.from({ length: 1000 }, () => new Array(1000).fill(0));
const [a, b] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number);
console.log(a + b + sums[1 << 20] + rows[9][9] - 1);
