const fs = require('fs');
fs.writeFileSync('kept.txt', fs.readFileSync(0, 'utf8'));
const [a, b] = fs.readFileSync('kept.txt', 'utf8').split(' ').map(Number);
console.log(a + b);
