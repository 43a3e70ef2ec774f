# SPDX-License-Identifier: Apache-2.0
need tar
mkdir folder
numbers 200000 >folder/a
noise 100000 >folder/b
ln -s a folder/link
tar -I tdz -cf x.tar.tdz folder
mv folder before
tar -I tdz -xf x.tar.tdz
diff -r before folder
tdz -t x.tar.tdz
tar -I 'tdz -9 --type u16 -T2' -cf y.tar.tdz folder
rm -r folder
tar -I 'tdz -9 --type u16 -T2' -xf y.tar.tdz
diff -r before folder
tar --use-compress-program=tdz -tf y.tar.tdz | sed -n 1p
tdz -dc y.tar.tdz | tar -tf - | tail -n 1 | cut -c 1-7
#> folder/
#> folder/
