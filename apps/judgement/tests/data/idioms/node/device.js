const fs = require('fs');
const [a, b] = fs.readFileSync('/dev/stdin', 'utf8').trim().split(' ').map(Number);
fs.writeFileSync('/dev/stdout', `${a + b}\n`);
