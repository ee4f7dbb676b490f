// A bitwise operator works with 32 bits.
const [a, b] = require('fs').readFileSync(0, 'utf8').trim().split(' ').map(Number);
console.log((a + b) | 0);
